import { newId, type Id, type Micros } from '@switchyard/base';
import {
  isTerminal,
  TERMINAL_STATUSES,
  type ExecutionRecord,
  type PurgeKind,
  type PurgeStep,
  type WorkflowRecord,
} from '@switchyard/model';
import { atLeast, below, isOneOf, noneOf, type AgedRecords, type Store } from '@switchyard/storage';
import { workflowIdOf } from '@switchyard/workflow-runs';

/** Which records to remove. */
export interface RemovalChoice {
  /** Only those from before this time. Executions and workflows also have to end before it. */
  readonly before: Micros;
  /** Only executions of this action. */
  readonly action?: string;
  /** Also those that have not ended. */
  readonly incomplete?: boolean;
}

/** Called before records are removed, to store copies of them elsewhere. If it rejects, nothing is removed. */
export type KeepCopies = (records: readonly { readonly _id: Id }[]) => Promise<void>;

export interface RemovalStepOptions {
  /** The number of records that a step examines. */
  readonly limit: number;
  /** `next` of the previous step. */
  readonly after?: string;
  /** Not called for workflows and tokens. */
  readonly keepCopies?: KeepCopies;
}

/**
 * Removes old records in steps, each of which examines a limited number of them.
 *
 * 1. An execution is removed with its output, its large values, and its workflow run with the journal. A record of the removal is
 *    written before and deleted afterwards, so that `complete` can finish an interrupted one.
 * 2. A task is kept as long as the workflow around it: as long as its root, and as the execution that shows its run after a rerun.
 * 3. Executions that a service still has to act on are kept, unless incomplete ones are removed too.
 */
export interface Removal {
  /** Of `workflows`, it removes runs with their journals, and keeps the executions that showed them. */
  step(kind: PurgeKind, choice: RemovalChoice, options: RemovalStepOptions): Promise<PurgeStep>;
  /** Removes the oldest chunks of output from before a time. */
  outputStep(before: Micros, limit: number): Promise<PurgeStep>;
  /** Finishes interrupted removals. */
  complete(): Promise<void>;
}

type AgedName = 'triggerInstances' | 'ruleEnforcements' | 'traces' | 'tokens';
type RemovalStore = Pick<Store, 'executions' | 'output' | 'blobs' | 'workflows' | 'removals' | AgedName>;

export function createRemoval(store: RemovalStore): Removal {
  const steps: Readonly<Record<PurgeKind, Step>> = {
    executions: (...given) => executionStep(store, ...given),
    workflows: (...given) => workflowStep(store, ...given),
    'trigger-instances': agedStep(store.triggerInstances),
    'rule-enforcements': agedStep(store.ruleEnforcements),
    traces: agedStep(store.traces),
    tokens: agedStep(store.tokens),
  };
  return {
    step: (kind, choice, options) => steps[kind](choice, options),
    async outputStep(before, limit) {
      const removed = await store.output.removeOldest(before, limit);
      return { removed, ...(removed < limit ? {} : { next: '' }) };
    },
    async complete() {
      for (const removal of await store.removals.list()) await carryOut(store, removal);
    },
  };
}

type Step = (choice: RemovalChoice, options: RemovalStepOptions) => Promise<PurgeStep>;

const agedStep =
  (records: AgedRecords<{ _id: Id }>): Step =>
  async ({ before }, { limit, keepCopies }) => {
    const oldest = await records.oldest(before, limit);
    if (oldest.length === 0) return { removed: 0 };
    await keepCopies?.(oldest);
    const removed = await records.removeAll(oldest.map(({ _id }) => _id));
    return { removed, ...(oldest.length < limit ? {} : { next: '' }) };
  };

async function executionStep(
  store: RemovalStore,
  choice: RemovalChoice,
  { limit, after, keepCopies }: RemovalStepOptions,
): Promise<PurgeStep> {
  const position = readPosition(after);
  const found = await oldestExecutions(store, choice, position, { limit, whole: keepCopies !== undefined });
  const needed = await neededTasks(store, choice, found);
  const removable = found.filter((record) => !needed.has(record._id));
  if (removable.length > 0) {
    await keepCopies?.(removable);
    await removeExecutions(store, removable);
  }
  const kept = found.filter((record) => needed.has(record._id));
  const next = found.length < limit ? undefined : nextPosition(position, found.at(-1)!.start_timestamp, kept, START);
  return { removed: removable.length, ...(next === undefined ? {} : { next }) };
}

async function workflowStep(
  store: RemovalStore,
  choice: RemovalChoice,
  { limit, after }: RemovalStepOptions,
): Promise<PurgeStep> {
  const position = readPosition(after);
  const found = await store.workflows.oldest(position, choice.before, limit);
  const shownBy = await executionsById(
    store,
    found.map(({ execution }) => execution),
  );
  const isRemovable = ({ open, execution: id }: WorkflowRecord) => {
    const execution = shownBy.get(id);
    return choice.incomplete === true || (open === undefined && (!execution || isOld(execution, choice)));
  };
  const ids = found.filter(isRemovable).map(({ _id }) => _id);
  if (ids.length > 0) await remove(store, { executions: [], workflows: ids, blobs: [] });
  const kept = found.filter((run) => !ids.includes(run._id));
  const next = found.length < limit ? undefined : nextPosition(position, found.at(-1)!.started_at, kept, STARTED);
  return { removed: ids.length, ...(next === undefined ? {} : { next }) };
}

/** Where a step begins: at a time, after the records of that time that were kept. */
interface Position {
  readonly from: Micros;
  readonly except: readonly Id[];
}

const readPosition = (text = '0'): Position => {
  const [from, ...except] = text.split(',') as [string, ...string[]];
  return { from: Number(from), except };
};

const START = ({ start_timestamp: start }: ExecutionRecord) => start;
const STARTED = ({ started_at: start }: WorkflowRecord) => start;

function nextPosition<T extends { _id: Id }>(
  { from, except }: Position,
  last: Micros,
  kept: readonly T[],
  timeOf: (record: T) => Micros,
): string {
  const keptThere = kept.filter((record) => timeOf(record) === last).map(({ _id }) => _id);
  return [last, ...(last === from ? except : []), ...keptThere].join(',');
}

const FIELDS = [
  '_id',
  'status',
  'start_timestamp',
  'end_timestamp',
  'root',
  'workflow_execution',
  'action_is_workflow',
  'result_blob',
  'context.workflow_execution',
] as const;

function oldestExecutions(
  { executions }: RemovalStore,
  { before, action, incomplete = false }: RemovalChoice,
  { from, except }: Position,
  { limit, whole }: { limit: number; whole: boolean },
): Promise<ExecutionRecord[]> {
  const ended = { status: isOneOf(TERMINAL_STATUSES), end_timestamp: below(before), due: null };
  return executions.list({
    filter: {
      start_timestamp: { ...atLeast(from), ...below(before) },
      ...(action === undefined ? {} : { action_ref: action }),
      ...(incomplete ? {} : ended),
      ...(except.length === 0 ? {} : { _id: noneOf(except) }),
    },
    sort: { start_timestamp: 1 },
    limit,
    once: true,
    ...(whole ? {} : { fields: FIELDS }),
  });
}

type Shown = Pick<ExecutionRecord, 'status' | 'start_timestamp' | 'end_timestamp'>;

const isOld = ({ status, start_timestamp: start, end_timestamp: end }: Shown, choice: RemovalChoice): boolean =>
  start < choice.before && (choice.incomplete || (isTerminal(status) && (end ?? start) < choice.before));

/** The tasks whose workflow is not old: its root, or the execution that now shows their run. */
async function neededTasks(
  store: RemovalStore,
  choice: RemovalChoice,
  found: readonly ExecutionRecord[],
): Promise<ReadonlySet<Id>> {
  const runs = await runsById(
    store,
    found.flatMap(({ workflow_execution: run }) => run ?? []),
  );
  const around = ({ root, workflow_execution: run }: ExecutionRecord) =>
    [root, run === undefined ? undefined : runs.get(run)?.execution].filter((id) => id !== undefined);
  const workflows = await executionsById(store, found.flatMap(around));
  const isNeeded = (record: ExecutionRecord) =>
    around(record).some((id) => {
      const workflow = workflows.get(id);
      return workflow !== undefined && !isOld(workflow, choice);
    });
  return new Set(found.filter(isNeeded).map(({ _id }) => _id));
}

async function runsById({ workflows }: RemovalStore, ids: readonly Id[]): Promise<ReadonlyMap<Id, WorkflowRecord>> {
  const runs = ids.length === 0 ? [] : await workflows.getAll([...new Set(ids)]);
  return new Map(runs.map((run) => [run._id, run]));
}

async function executionsById({ executions }: RemovalStore, ids: readonly Id[]): Promise<ReadonlyMap<Id, Shown>> {
  if (ids.length === 0) return new Map();
  const fields = ['_id', 'status', 'start_timestamp', 'end_timestamp'] as const;
  const records = await executions.list({ filter: { _id: isOneOf(new Set(ids)) }, fields });
  return new Map(records.map((record) => [record._id, record]));
}

/** A run that another execution shows now is kept with that execution. */
async function removeExecutions(store: RemovalStore, records: readonly ExecutionRecord[]): Promise<void> {
  const ids = new Set(records.map(({ _id }) => _id));
  const own = records.filter((record) => record.action_is_workflow).map(runIdOf);
  const runs = [...(await runsById(store, own)).values()].filter(({ execution }) => ids.has(execution));
  await remove(store, {
    executions: [...ids],
    workflows: runs.map(({ _id }) => _id),
    blobs: records.flatMap(({ result_blob: blob }) => blob?.id ?? []),
  });
}

function runIdOf({ _id, context }: ExecutionRecord): Id {
  const known = context?.['workflow_execution'];
  return typeof known === 'string' ? known : workflowIdOf(_id);
}

interface Removed {
  readonly executions: string[];
  readonly workflows: string[];
  readonly blobs: string[];
}

async function remove(store: RemovalStore, { executions, workflows, blobs }: Removed): Promise<void> {
  const ofJournals = workflows.length === 0 ? [] : await store.workflows.blobsOf(workflows);
  const removal = { _id: newId(), executions, workflows, blobs: [...blobs, ...ofJournals.map(({ id }) => id)] };
  await store.removals.insert(removal);
  await carryOut(store, removal);
}

async function carryOut(
  store: RemovalStore,
  { _id, executions, workflows, blobs }: Removed & { _id: Id },
): Promise<void> {
  if (executions.length > 0) {
    await store.executions.removeAll(executions);
    await store.output.removeOf(executions);
  }
  if (workflows.length > 0) await store.workflows.removeAll(workflows);
  if (blobs.length > 0) await store.blobs.removeAll(blobs);
  await store.removals.remove(_id);
}
