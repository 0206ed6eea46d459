import type { Id } from '@switchyard/base';
import type { ExecutionRecord, Status, WorkflowRecord } from '@switchyard/model';
import { isOneOf } from '@switchyard/storage';
import { endIdle } from './end-idle';
import type { Engine, RunEvent } from './run';

/** Statuses of a workflow that has not begun. */
const WAITING: readonly Status[] = ['requested', 'delayed', 'scheduled'];
const BEGUN: readonly Status[] = ['running', 'pausing', 'paused', 'resuming', 'pending'];
/** Waiting workflows canceled with one write. */
const AT_A_TIME = 100;
/** Workflows that are asked with one write, and take their turns together. */
const ASKED_AT_A_TIME = 50;

/**
 * Cancels all workflows of a tree; each of them cancels its own actions.
 *
 * 1. Those that wait come first. They never begin. A run that is asked to cancel looks at all of its children in that turn, so no message has to
 *    tell it of these.
 * 2. Those that have begun follow level by level, the most deeply nested ones first: a run that is asked later finds that the workflows
 *    below it have ended, and ends in the same turn.
 * 3. Runs of other engines become runs of this one. Most of them end in bulk (`endIdle`). The others take their turns at once, without
 *    messages, and the next level waits for these turns. So a run that ends need not be due for its parent, if that comes later.
 * 4. If this engine dies in between, the root is still due, and the engine that takes it over begins again here.
 */
export async function cancelWorkflows(engine: Engine, root: Id, user: string): Promise<void> {
  // Some may have found the cancellation themselves, or received it from an engine that died during this work.
  for (let statuses: readonly Status[] = [...BEGUN, 'canceling']; ; statuses = BEGUN) {
    const levels = await mostNestedFirst(engine, root, statuses);
    const later = new Set<Id>([root, ...levels.flat()]);
    const ended = await endWaiting(engine, root, { user, later });
    for (const level of levels) {
      for (const id of level) later.delete(id);
      for (let at = 0; at < level.length; at += ASKED_AT_A_TIME) {
        await cancelSome(engine, level.slice(at, at + ASKED_AT_A_TIME), { user, later });
        await engine.slice.next();
      }
    }
    if (levels.length === 0 && ended === 0) return;
  }
}

/** The workflows below the root with these statuses, by level. */
async function mostNestedFirst(
  { executions, slice }: Engine,
  root: Id,
  statuses: readonly Status[],
): Promise<readonly (readonly Id[])[]> {
  const levels = new Map<number, Id[]>();
  for await (const { _id: id, nesting = 0 } of executions.records.eachWorkflowUnder(root, statuses)) {
    const level = levels.get(nesting);
    if (level) level.push(id);
    else levels.set(nesting, [id]);
    await slice.next();
  }
  return [...levels].sort(([a], [b]) => b - a).map(([, level]) => level);
}

interface Cancellation {
  readonly user: string;
  /** The workflows whose turns come later. */
  readonly later: ReadonlySet<Id>;
}

/** Asks some workflows of one level, and lets those of this engine take their turns. */
async function cancelSome(engine: Engine, ids: readonly Id[], { user, later }: Cancellation): Promise<void> {
  const { executions } = engine;
  const records = await executions.records.list({ filter: { _id: isOneOf(ids) } });
  const runs = await ownRuns(engine, records);
  const parentHears = ({ parent }: ExecutionRecord): boolean => parent !== undefined && later.has(parent);
  const begun = records.flatMap((record) => {
    const run = runs.get(runOf(record));
    return run ? [{ record, run }] : [];
  });
  const ended = await endIdle(engine, begun, { user, parentHears });
  const mine = begun.flatMap(({ record }) => (ended.has(record._id) ? [] : [record]));
  const others = records.filter((record) => !runs.has(runOf(record)));
  const [moved] = await Promise.all([
    executions.cancelBegun(mine, user, 'workflow-engine'),
    executions.cancelBegun(others, user),
  ]);
  const askedHere = new Map(moved.map((record) => [record._id, record]));
  const told = await Promise.all(
    mine.map(async (record) => {
      const own = askedHere.get(record._id);
      const run = runs.get(runOf(record))!;
      // Those that were canceled before may not have noticed it, or not know which of their children have ended since.
      const events: RunEvent[] = own ? [{ own, parentHears: parentHears(own) }] : [{ own: record }, { look: true }];
      const isTold = await Promise.all(events.map((event) => engine.tell(run._id, { ...event, run }))).then(
        () => true,
        () => false,
      );
      return isTold && own ? [own] : [];
    }),
  );
  // Those that have not ended yet. A run that could not take its turn stays due, and gets a message from the sweep.
  await executions.records.settleEachAt(told.flat(), 'workflow-engine');
}

/** The id of the run behind the execution of a workflow that has begun. */
const runOf = ({ context }: ExecutionRecord): Id => {
  const { workflow_execution: id } = context;
  return typeof id === 'string' ? id : '';
};

/**
 * The open runs of these workflows. This engine takes over those of other engines, dead or alive: the journal keeps a former owner from
 * continuing.
 */
async function ownRuns(
  { store: { workflows }, instance }: Engine,
  records: readonly ExecutionRecord[],
): Promise<ReadonlyMap<Id, WorkflowRecord>> {
  const ids = [...new Set(records.map(runOf))];
  const isOthers = ({ open, owner }: WorkflowRecord): boolean => open === true && owner !== instance;
  let runs = await workflows.getAll(ids);
  if (runs.some(isOthers)) {
    await workflows.adopt(
      runs.filter(isOthers).map(({ _id }) => _id),
      instance,
    );
    runs = await workflows.getAll(ids);
  }
  return new Map(runs.filter(({ open, owner }) => open && owner === instance).map((run) => [run._id, run]));
}

/** @returns how many there were */
async function endWaiting({ executions, slice }: Engine, root: Id, { user, later }: Cancellation): Promise<number> {
  for (let count = 0; ;) {
    const waiting = await executions.records.workflowsUnder(root, WAITING, AT_A_TIME);
    if (waiting.length === 0) return count;
    const hears = ({ parent }: ExecutionRecord) => parent !== undefined && later.has(parent);
    await executions.cancelWaiting(waiting.filter(hears), user, 'workflow-engine');
    await executions.cancelWaiting(
      waiting.filter((each) => !hears(each)),
      user,
    );
    count += waiting.length;
    await slice.next();
  }
}
