import type { Id } from '@switchyard/base';
import { withReads, type DatastoreKey, type Read, type TaskRecord } from '@switchyard/expressions';
import { taskIdOf, type History, type WorkflowDefinition } from '@switchyard/executions';
import type { ExecutionRecord, WorkflowRecord } from '@switchyard/model';
import type { CallOptions, Conductor, TaskReference } from '@switchyard/workflow';
import type { Engine } from './engine';
import type { Progress } from './progress';
import type { RunSecrets } from './run-secrets';
import { taskRecord } from './task-record';

/** A run of a workflow while this process works on it. */
export interface Run {
  readonly record: WorkflowRecord;
  readonly definition: WorkflowDefinition;
  readonly conductor: Conductor;
  readonly history: History;
  readonly progress: Progress;
  /** The execution that shows it, as it was last seen. */
  execution: ExecutionRecord;
  /** Revision of the execution with the last wish that the conductor was told of. */
  heard: number;
  /** Revision of the execution with the last wish that was passed on by this process to what the run has requested. */
  passedOn: number;
  readonly secrets: RunSecrets;
  /** It failed before it could begin: there is nothing to work with. */
  readonly isStillborn: boolean;
}

/** Somebody else has written a step of the run: what is known of it here is old. */
export class LostRun extends Error {
  constructor(workflow: Id) {
    super(`The workflow ${workflow} was taken on by another process.`);
  }
}

/** One call of the conductor, which reads what its expressions ask for. */
export const call = <T>(engine: Engine, run: Run, work: (options: CallOptions) => T): Promise<T> =>
  withDatastore(engine, run.execution, ({ lookups, ...options }, read) =>
    work({
      ...options,
      lookups: { ...lookups, record: (task) => read(`task:${task.entry}`, () => readTask(engine, run, task)) },
    }),
  );

/** One call of the conductor before there are tasks. */
export function withDatastore<T>(
  engine: Engine,
  { context }: ExecutionRecord,
  work: (options: CallOptions, read: Read) => T,
): Promise<T> {
  const lookup = engine.lookupFor?.(context);
  const now = engine.clock.nowMicros() / 1000;
  return withReads((read) => {
    const lookups = lookup && {
      datastore: (key: DatastoreKey) => read(`item:${JSON.stringify(key)}`, () => lookup(key)),
    };
    return work({ now, ...(lookups ? { lookups } : {}) }, read);
  });
}

async function readTask(engine: Engine, run: Run, task: TaskReference): Promise<TaskRecord> {
  const children = await engine.store.executions.ofWorkflow(run.record._id, taskIdOf(run.record._id, task));
  const times = run.history.times.get(`entry/${task.entry}`);
  return taskRecord(engine, run.record._id, { task, times, children });
}
