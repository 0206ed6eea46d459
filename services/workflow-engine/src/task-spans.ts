import { taskIdOf } from '@switchyard/workflow-runs';
import type { EntryDocument } from '@switchyard/workflow';
import type { Engine, WorkflowRun } from './run';

/** Records the spans of tasks whose end has just been written to the journal. */
export function recordTaskSpans({ executions }: Engine, run: WorkflowRun, ended: readonly EntryDocument[]): void {
  for (const { key, task, route, round, status } of ended) {
    const { start, end } = run.history.times.get(key) ?? {};
    if (start === undefined || end === undefined) continue;
    const id = taskIdOf(run.record._id, { task, route, round });
    executions.spans.taskEnded(run.execution, { id, name: task, status: String(status), start, end });
  }
}
