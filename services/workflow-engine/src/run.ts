import { isFault, MIB, type Clock, type Id, microsToIso, type Micros, type Slices } from '@switchyard/base';
import { expressionLimits, type Config } from '@switchyard/config';
import type { ConfigFor, Executions, LookupFor } from '@switchyard/executions';
import { withReads, type DatastoreKey, type Read, type TaskRecord } from '@switchyard/expressions';
import { isTerminal, type ExecutionRecord, type Status, type WorkflowRecord } from '@switchyard/model';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { ConductorLimits, CallOptions, Conductor, TaskReference } from '@switchyard/workflow';
import {
  type WorkflowJournal,
  actionOfKey,
  taskIdOf,
  type ActionCommand,
  type EntryTimes,
  type History,
  type WorkflowDefinition,
} from '@switchyard/workflow-runs';
import type { CanceledTrees } from './control';
import type { DefinitionCache } from './definition-cache';
import type { Progress } from './sync-execution';
import type { RunSecrets } from './run-secrets';
import type { SharedCalls } from './shared-calls';

/** A workflow run in the memory of this engine. */
export interface WorkflowRun {
  readonly record: WorkflowRecord;
  readonly definition: WorkflowDefinition;
  readonly conductor: Conductor;
  readonly history: History;
  readonly progress: Progress;
  /** The execution of the run, as it was last read. */
  execution: ExecutionRecord;
  /** Revision of the execution with the last control request that the conductor got. */
  heard: number;
  /** Revision of the execution with the last control request that this process passed on to the run's actions. */
  passedOn: number;
  /** Whether an answered inquiry or a resumed inner workflow has resumed it since its execution was last brought in line. */
  goesOn: boolean;
  /** Actions that were requested and not counted in the tree yet. */
  uncounted: number;
  readonly secrets: RunSecrets;
  /** It failed before its first step. */
  readonly isStillborn: boolean;
}

/** Another process has written a step of the run: the state in memory is stale. */
export class LostRun extends Error {
  constructor(workflow: Id) {
    super(`The workflow ${workflow} was taken over by another process.`);
  }
}

/** Another engine has begun the run. */
export class BegunElsewhere extends LostRun {}

/** One call of the conductor, which reads what its expressions ask for. */
export const call = <T>(engine: Engine, run: WorkflowRun, work: (options: CallOptions) => T): Promise<T> =>
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

async function readTask(engine: Engine, run: WorkflowRun, task: TaskReference): Promise<TaskRecord> {
  const children = await engine.executions.records.ofWorkflow(run.record._id, taskIdOf(run.record._id, task));
  const times = run.history.times.get(`entry/${task.entry}`);
  return taskRecord(engine, run.record._id, { task, times, children });
}

/** An event that a run processes in a turn. */
export type RunEvent = {
  /** The record of the run as it was just read, if it was. */
  readonly run?: WorkflowRecord;
} & Event;

type Event =
  /** The execution of one of its actions has changed. `outer` is that of the run, if it was read since. */
  | { readonly child: ExecutionRecord; readonly outer?: ExecutionRecord | undefined }
  /**
   * Its own execution has changed: possibly a request to pause, resume or cancel. With `parentHears`, the outer workflow finds out by itself
   * if the run ends in this turn.
   */
  | { readonly own: ExecutionRecord; readonly parentHears?: boolean }
  /** An action command that could not be submitted. */
  | { readonly refused: ActionCommand; readonly error: string }
  /** A timeout may be due. */
  | { readonly alarm: true }
  /** The run was restored: find out what happened meanwhile. */
  | { readonly look: true }
  /** Its last turn left more to request. */
  | { readonly more: true }
  /** Messages were set aside: the executions that have ended and are due have to be read. */
  | { readonly due: true };

/** The parts of an engine that its modules use together. */
export interface Engine extends SharedCalls {
  readonly config: Config;
  readonly store: StoreWithoutExecutions;
  readonly executions: Executions;
  readonly journal: WorkflowJournal;
  readonly definitions: DefinitionCache;
  readonly canceledTrees: CanceledTrees;
  /** Lets a run of this engine take a turn without a message. Resolves when it has; rejects once the engine stops. */
  readonly tell: (workflow: Id, event: RunEvent) => Promise<void>;
  /** Whether a run of this engine is taking a turn or about to. */
  readonly isAtWork: (workflow: Id) => boolean;
  /** Closes runs that have ended without a turn, and drops them from memory. */
  readonly letGo: (workflows: readonly Id[]) => Promise<void>;
  readonly lookupFor?: LookupFor | undefined;
  readonly configFor?: ConfigFor | undefined;
  /** Address of the API with its version. */
  readonly apiUrl: string;
  /** Id of this process among the engines. */
  readonly instance: Id;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'time' | 'shift'>;
  /** All runs share it: hundreds of them at work count as one piece of divided work, so that others need not wait for each of them. */
  readonly slice: Slices;
}

/** Items dispatched at once. More follow in the same turn, and other work runs in between. */
const ITEMS_AT_ONCE = 100;

/** The limits of one run. */
export const conductorLimits = ({ workflow_engine: options, limits }: Config): ConductorLimits => ({
  entries: options.max_tasks,
  items: options.max_items,
  itemsAtOnce: ITEMS_AT_ONCE,
  publishedBytes: options.max_published_mb * MIB,
  expressions: expressionLimits({ limits }),
});

/** The user an execution runs for, or the first user found under the given context members. */
export function userOf({ context }: Pick<ExecutionRecord, 'context'>, ...names: string[]): string {
  for (const name of [...names, 'user']) {
    const user = context[name];
    if (typeof user === 'string' && user !== '') return user;
  }
  return '';
}

/** The user and channel of a chat command are passed on to all executions below. */
export const alongWith = (context: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    ['api_user', 'source_channel'].filter((name) => name in context).map((name) => [name, context[name]]),
  );

/** Ignores faults of a request to an execution that has ended or changed in the meantime: the run receives that by a
 * message. */
export async function tolerant(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
  }
}

interface TaskParts {
  task: TaskReference;
  /** Absent until the journal has something about the task. */
  times: EntryTimes | undefined;
  /** Every execution of it: attempts and items. */
  children: readonly ExecutionRecord[];
}

/** What expressions see of a task's run. */
async function taskRecord(
  engine: Pick<Engine, 'executions' | 'clock'>,
  workflow: Id,
  { task, times, children }: TaskParts,
): Promise<TaskRecord> {
  const now = engine.clock.nowMicros();
  return {
    task_execution_id: taskIdOf(workflow, task),
    workflow_execution_id: workflow,
    task_name: task.task,
    task_id: task.task,
    route: task.route,
    result: await resultOf(engine, task, children),
    status: task.status,
    start_timestamp: timeText(times?.start ?? now),
    end_timestamp: isTerminal(task.status as Status) ? timeText(endOf(children) ?? times?.end ?? now) : 'None',
  };
}

/** When the last action of a task ended. The journal does not have an end that this turn processes. */
function endOf(children: readonly ExecutionRecord[]): Micros | undefined {
  if (children.length === 0 || children.some(({ status }) => !isTerminal(status))) return undefined;
  return children.reduce((last, { end_timestamp: end = 0 }) => Math.max(last, end), 0);
}

/** As Python prints a date-time. */
const timeText = (at: Micros): string =>
  microsToIso(at)
    .replace('T', ' ')
    .replace(/(\.0{6})?Z$/, '+00:00');

/** The result of the last attempt, or of each item of a task with items. */
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
