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

type View = Record<string, unknown>;

export const RULE_ATTRIBUTES = attributeNames(ruleAnswer);

export interface RuleViewOptions {
  /** Whether to show secret parameters of actions in clear. Only for users who may see them. */
  readonly secrets: boolean;
  /** Includes the descriptions of the trigger and of the action. */
  readonly described?: boolean;
}

type Needed = Pick<Store, 'triggers' | 'triggerTypes' | 'actions' | 'runnerTypes'>;

/** Rules as clients see them: with their trigger in place of its reference, and without the secrets of their actions. */
export async function viewRules(
  store: Needed,
  rules: readonly RuleRecord[],
  { secrets, described = false }: RuleViewOptions,
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
      trigger: trigger ? triggerPart(trigger, described ? types : undefined) : rule.trigger,
      action: {
        ...rule.action,
        ...(parameters ? { parameters } : {}),
        ...(described ? { description: action?.description ?? '' } : {}),
      },
      ...errorPart(problem),
    };
  });
}

/** @param types descriptions of the trigger types, if requested */
const triggerPart = (
  { type, parameters, ref, description }: TriggerRecord,
  types: ReadonlyMap<string, string> | undefined,
): View => ({
  type,
  parameters,
  ref,
  ...(types ? { description: description ?? types.get(type) ?? '' } : {}),
});

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
