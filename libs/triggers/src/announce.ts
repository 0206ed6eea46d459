import { recordChange, triggerInstance, type Message } from '@switchyard/messaging';
import type { RuleRecord, TriggerInstanceRecord, TriggerRecord } from '@switchyard/model';
import type { TriggersDependencies } from './triggers-dependencies';

/** Tells the others. Nobody waits for it: what has to be acted on is marked as due, and watchers look at the store. */
export interface Announcer {
  changed(change: 'create' | 'update' | 'delete', trigger: TriggerRecord): void;
  ruleChanged(change: 'create' | 'update' | 'delete', rule: Pick<RuleRecord, '_id' | 'ref'>): void;
  dispatched(instances: readonly TriggerInstanceRecord[]): void;
}

export function createAnnouncer({
  publisher,
  logger,
  onRuleChange,
}: Pick<TriggersDependencies, 'publisher' | 'logger' | 'onRuleChange'>): Announcer {
  const send = (messages: readonly Message[]) => {
    publisher.publishAll(messages).catch((error: unknown) => {
      logger.warn('A message about triggers could not be sent; what is due will be found without it.', { error });
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
