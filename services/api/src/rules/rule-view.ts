import type { Requester } from '@switchyard/http';
import {
  maskParameters,
  type ActionRecord,
  type ParameterDefinitions,
  type RuleRecord,
  type TriggerRecord,
} from '@switchyard/model';
import { attributeNames, ruleAnswer } from '@switchyard/model/resources';
import { isOneOf, type Store } from '@switchyard/storage';
import { errorPart } from '../unopened-parameters';
import { runnerMerge } from '../actions/action-view';
import type { ApiDependencies } from '../api-dependencies';
import { grantedReferences, grantedTo } from '../permissions/visible-records';

type View = Record<string, unknown>;

export const RULE_ATTRIBUTES = attributeNames(ruleAnswer);

export interface RuleViewOptions {
  /** Whether to show secret parameters of actions in clear. Only for users who may see them. */
  readonly secrets: boolean;
  /** Includes the descriptions of the triggers and actions that the viewer may view. */
  readonly described?: DescribedReferences | undefined;
}

/** Determines by reference what the viewer of rules may view. */
export interface DescribedReferences {
  action(ref: string): boolean;
  /** A trigger, or the type of one. */
  trigger(ref: string): boolean;
}

export async function describedTo(
  deps: Pick<ApiDependencies, 'config' | 'identities'>,
  viewer: Requester,
): Promise<DescribedReferences> {
  const [actions, triggers] = await Promise.all([
    grantedTo(deps, viewer, 'action_view'),
    grantedTo(deps, viewer, 'trigger_view'),
  ]);
  return { action: grantedReferences(actions, 'action'), trigger: grantedReferences(triggers, 'trigger') };
}

type Needed = Pick<Store, 'triggers' | 'triggerTypes' | 'actions' | 'runnerTypes'>;

/** Rules as clients see them: with their trigger in place of its reference, and without the secrets of their actions. */
export async function viewRules(
  store: Needed,
  rules: readonly RuleRecord[],
  { secrets, described }: RuleViewOptions,
): Promise<View[]> {
  const [triggers, actions] = await Promise.all([triggersOf(store, rules), actionsOf(store, rules)]);
  const types = described ? await typeDescriptions(store, [...triggers.values()]) : new Map<string, string>();
  return rules.map(({ _id, problem, ...rule }) => {
    const trigger = triggers.get(rule.trigger);
    const action = actions.get(rule.action.ref);
    const parameters = action && !secrets ? maskParameters(rule.action.parameters, action.definitions) : undefined;
    return {
      id: _id,
      ...rule,
      trigger: trigger ? triggerPart(trigger, described && { types, described }) : rule.trigger,
      action: {
        ...rule.action,
        ...(parameters ? { parameters } : {}),
        ...(described ? { description: described.action(rule.action.ref) ? (action?.description ?? '') : '' } : {}),
      },
      ...errorPart(problem),
    };
  });
}

interface TriggerDescriptions {
  readonly described: DescribedReferences;
  /** Descriptions of trigger types. */
  readonly types: ReadonlyMap<string, string>;
}

/** @param descriptions absent if they were not requested */
function triggerPart(
  { type, parameters, ref, description }: TriggerRecord,
  descriptions: TriggerDescriptions | undefined,
): View {
  const part = { type, parameters, ref };
  if (!descriptions) return part;
  const { described, types } = descriptions;
  const isSeen = described.trigger(ref) || described.trigger(type);
  return { ...part, description: isSeen ? (description ?? types.get(type) ?? '') : '' };
}

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

async function triggersOf({ triggers }: Needed, rules: readonly RuleRecord[]): Promise<Map<string, TriggerRecord>> {
  const refs = distinct(rules.map(({ trigger }) => trigger));
  const found = refs.length === 0 ? [] : await triggers.list({ filter: { ref: isOneOf(refs) } });
  return new Map(found.map((trigger) => [trigger.ref, trigger]));
}

async function typeDescriptions(
  { triggerTypes }: Needed,
  triggers: readonly TriggerRecord[],
): Promise<Map<string, string>> {
  const refs = distinct(triggers.map(({ type }) => type));
  if (refs.length === 0) return new Map();
  const found = await triggerTypes.list({ filter: { ref: isOneOf(refs) }, fields: ['ref', 'description'] });
  return new Map(found.map(({ ref, description = '' }) => [ref, description]));
}

interface ActionPart {
  readonly description: string | undefined;
  /** The definitions of the action's parameters and its runner's. */
  readonly definitions: ParameterDefinitions;
}

const ACTION_FIELDS: readonly (keyof ActionRecord)[] = ['ref', 'description', 'runner_type', 'parameters'];

async function actionsOf(store: Needed, rules: readonly RuleRecord[]): Promise<Map<string, ActionPart>> {
  const refs = distinct(rules.map(({ action }) => action.ref));
  if (refs.length === 0) return new Map();
  const [merge, found] = await Promise.all([
    runnerMerge(store),
    store.actions.list({ filter: { ref: isOneOf(refs) }, fields: ACTION_FIELDS }),
  ]);
  return new Map(found.map((action) => [action.ref, { description: action.description, definitions: merge(action) }]));
}
