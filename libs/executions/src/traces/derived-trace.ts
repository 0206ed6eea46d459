import { isId, type Id } from '@switchyard/base';
import type { ExecutionRecord, TraceRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { executionComponent, instanceComponent } from './components';
import { askedTrace, plainTag, traceOfInstance } from './trace-of';
import { traceIdOf } from './trace-id';

/**
 * A trace that is not stored, because nothing but the execution or the instance that it begins with belongs to it: made up
 * from that. @returns undefined when no trace has this id
 */
export async function derivedTrace(
  store: Pick<Store, 'executions' | 'triggerInstances'>,
  id: Id,
): Promise<TraceRecord | undefined> {
  if (!isId(id)) return undefined;
  const beginning = traceIdOf(id);
  const execution = await store.executions.get(beginning);
  if (execution) return begunByExecution(execution, id);
  const instance = await store.triggerInstances.get(beginning);
  if (!instance) return undefined;
  const own = await traceOfInstance(store, instance);
  if (own.id_ !== id) return undefined;
  const trace = emptyTrace(id, own.trace_tag, instance.occurrence_time);
  return { ...trace, trigger_instances: [instanceComponent(instance)] };
}

function begunByExecution(execution: ExecutionRecord, id: Id): TraceRecord | undefined {
  const { id_: given, trace_tag: tag } = askedTrace(execution.context['trace_context']);
  const elsewhere = given === undefined ? execution.parent !== undefined : given !== id;
  if (elsewhere) return undefined;
  const trace = emptyTrace(id, tag ?? plainTag.ofExecution(execution), execution.start_timestamp);
  return { ...trace, action_executions: [executionComponent(execution)] };
}

export const emptyTrace = (id: Id, tag: string, start: number): TraceRecord => ({
  _id: id,
  trace_tag: tag,
  start_timestamp: start,
  trigger_instances: [],
  rules: [],
  action_executions: [],
});
