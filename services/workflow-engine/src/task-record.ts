import { microsToIso, type Id, type Micros } from '@switchyard/base';
import { actionOfKey, taskIdOf, type EntryTimes } from '@switchyard/executions';
import type { TaskRecord } from '@switchyard/expressions';
import type { ExecutionRecord } from '@switchyard/model';
import type { TaskReference } from '@switchyard/workflow';
import type { Engine } from './engine';

interface TaskParts {
  task: TaskReference;
  /** Absent as long as nothing of it was written down. */
  times: EntryTimes | undefined;
  /** Every execution of it: attempts and items. */
  children: readonly ExecutionRecord[];
}

/** What expressions see of a task's run. */
export async function taskRecord(
  engine: Pick<Engine, 'executions'>,
  workflow: Id,
  { task, times, children }: TaskParts,
): Promise<TaskRecord> {
  return {
    task_execution_id: taskIdOf(workflow, task),
    workflow_execution_id: workflow,
    task_name: task.task,
    task_id: task.task,
    route: task.route,
    result: await resultOf(engine, task, children),
    status: task.status,
    start_timestamp: timeText(times?.start),
    end_timestamp: timeText(times?.end),
  };
}

const timeText = (at: Micros | undefined): string | null => (at === undefined ? null : microsToIso(at));

/** Of the last attempt; of a task with items, what each of them gave. */
async function resultOf(
  { executions }: Pick<Engine, 'executions'>,
  { hasItems }: TaskReference,
  children: readonly ExecutionRecord[],
): Promise<unknown> {
  const load = async (child: ExecutionRecord) => (await executions.results.load(child, true)) ?? null;
  if (!hasItems) return children.length === 0 ? null : load(children.at(-1)!);
  const items = new Map<number, ExecutionRecord>();
  for (const child of children) items.set(actionOfKey(child.request_key ?? '')?.item ?? 0, child);
  const sorted = [...items].sort(([a], [b]) => a - b);
  return {
    items: await Promise.all(sorted.map(async ([, child]) => ({ status: child.status, result: await load(child) }))),
  };
}
