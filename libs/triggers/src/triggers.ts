import type { Clock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { type Publisher, recordChange, triggerInstance, type Message } from '@switchyard/messaging';
import type { RuleRecord, TriggerInstanceRecord, TriggerRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';
import { createDispatcher, type Dispatcher } from './dispatch';
import { createNamedTriggers, type NamedTriggers } from './named-triggers';
import { createRuleTriggers, type RuleTriggers } from './rule-triggers';
import { createRules, type Rules } from './rules/rules';
import { createTriggerTypes, type TriggerTypes } from './trigger-types/trigger-types';

/** Operations on trigger types, triggers, rules and trigger instances. */
export interface Triggers extends TriggerTypes, RuleTriggers, NamedTriggers, Rules, Dispatcher {}

export function createTriggers(deps: TriggersDependencies): Triggers {
  const announce = createTriggerAnnouncer(deps);
  const ruleTriggers = createRuleTriggers(deps, announce);
  return {
    ...ruleTriggers,
    ...createTriggerTypes(deps, announce, ruleTriggers),
    ...createNamedTriggers(deps, announce),
    ...createRules(deps, ruleTriggers, announce),
    ...createDispatcher(deps, announce),
  };
}

export interface TriggersDependencies {
  readonly store: Pick<Store, 'triggerTypes' | 'triggers' | 'triggerInstances' | 'rules'>;
  readonly publisher: Publisher;
  readonly config: { readonly [Section in 'system' | 'action_sensor']: Config[Section] } & Partial<
    Pick<Config, 'limits'>
  >;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Called for each rule that this process writes or removes, before other processes are notified. */
  readonly onRuleChange?: () => void;
}

/** Announces changes to other processes. Messages are hints: work is marked as due in the store, and watchers also poll it. */
export interface TriggerAnnouncer {
  changed(change: 'create' | 'update' | 'delete', trigger: TriggerRecord): void;
  ruleChanged(change: 'create' | 'update' | 'delete', rule: Pick<RuleRecord, '_id' | 'ref'>): void;
  dispatched(instances: readonly TriggerInstanceRecord[]): void;
}

function createTriggerAnnouncer({
  publisher,
  logger,
  onRuleChange,
}: Pick<TriggersDependencies, 'publisher' | 'logger' | 'onRuleChange'>): TriggerAnnouncer {
  const send = (messages: readonly Message[]) => {
    publisher.publishAll(messages).catch((error: unknown) => {
      logger.warn('Failed to announce a trigger change; consumers will find it in the store.', { error });
    });
  };
  return {
    changed: (change, { _id, ref }) => send([recordChange({ record: 'trigger', change, id: _id, ref })]),
    ruleChanged(change, { _id, ref }) {
      onRuleChange?.();
      send([recordChange({ record: 'rule', change, id: _id, ref })]);
    },
    dispatched: (instances) =>
      send(instances.map((record) => triggerInstance({ id: record._id, ref: record.trigger, trace: traceOf(record) }))),
  };
}

const LONGEST_TRACE = 200;

const traceOf = ({ trace_context: { trace_tag: tag, id_: id } = {} }: TriggerInstanceRecord): string | null => {
  const text = tag ?? id;
  return typeof text === 'string' ? text.slice(0, LONGEST_TRACE) : null;
};
