import { isId, type Id } from '@switchyard/base';
import type { TraceRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { executionComponent, instanceComponent } from './components';
import { askedTrace, plainTag } from './trace-of';
import { traceIdOf } from './trace-id';

/**
 * A trace that is not stored, because nothing but the execution or the instance that it begins with belongs to it: made up
 * from that. @returns undefined when no trace has this id
 */
export async function derivedTrace(
  { executions, triggerInstances }: Pick<Store, 'executions' | 'triggerInstances'>,
  id: Id,
): Promise<TraceRecord | undefined> {
  if (!isId(id)) return undefined;
  const beginning = traceIdOf(id);
  const execution = await executions.get(beginning);
  if (execution) {
    const { id_: given, trace_tag: tag } = askedTrace(execution.context['trace_context']);
    const elsewhere = given === undefined ? execution.parent !== undefined : given !== id;
    if (elsewhere) return undefined;
    const component = executionComponent(execution);
    return {
      ...emptyTrace(id, tag ?? plainTag.ofExecution(execution), execution.start_timestamp),
      action_executions: [component],
    };
  }
  const instance = await triggerInstances.get(beginning);
  if (!instance || askedTrace(instance.trace_context).id_ !== undefined) return undefined;
  const tag = askedTrace(instance.trace_context).trace_tag ?? plainTag.ofInstance(instance);
  return { ...emptyTrace(id, tag, instance.occurrence_time), trigger_instances: [instanceComponent(instance)] };
}

export const emptyTrace = (id: Id, tag: string, start: number): TraceRecord => ({
  _id: id,
  trace_tag: tag,
  start_timestamp: start,
  trigger_instances: [],
  rules: [],
  action_executions: [],
});
