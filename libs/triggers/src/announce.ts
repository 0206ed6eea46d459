import { recordChange, triggerInstance, type Message } from '@switchyard/messaging';
import type { RuleRecord, TriggerInstanceRecord, TriggerRecord } from '@switchyard/model';
import type { TriggersDependencies } from './triggers';

/** Announces changes to other processes. Messages are hints: work is marked as due in the store, and watchers also poll it. */
export interface TriggerAnnouncer {
  changed(change: 'create' | 'update' | 'delete', trigger: TriggerRecord): void;
  ruleChanged(change: 'create' | 'update' | 'delete', rule: Pick<RuleRecord, '_id' | 'ref'>): void;
  dispatched(instances: readonly TriggerInstanceRecord[]): void;
}

export function createTriggerAnnouncer({
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
