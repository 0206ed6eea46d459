import { slices, type Id, type Micros } from '@switchyard/base';
import type { DueConsumer, ExecutionRecord, Status } from '@switchyard/model';
import { changedRecord, isOneOf, type RecordChange } from '@switchyard/storage';
import { BEGUN, type ControlDeps } from './control';
import { dueAfter, moveChange } from './transition';

/** Statuses in which no service works on an execution, so it can be canceled immediately. */
const WAITING: readonly Status[] = ['requested', 'delayed', 'scheduled'];

/** Executions that are announced together, with a line of the audit log for each. */
const TOLD_AT_A_TIME = 40;

export const isWaiting = ({ status }: Pick<ExecutionRecord, 'status'>): boolean => WAITING.includes(status);

/**
 * Cancels waiting executions with one write, each as `cancelExecution` does.
 * @param atWork the consumer that calls this. It gets no `due` mark and no message, only the returned records
 * @returns the records that were canceled; the others have changed since they were read
 */
export async function cancelWaiting(
  deps: ControlDeps,
  records: readonly ExecutionRecord[],
  user: string,
  atWork?: DueConsumer,
): Promise<ExecutionRecord[]> {
  const waiting = records.filter(isWaiting);
  const occasion = { to: 'canceled', due: [], user, now: deps.clock.nowMicros(), atWork, undue: atWork } as const;
  return moveTogether(deps, waiting, { ...occasion, result: canceledBy(user) }, ({ status, slot, limited }) => {
    const hasRoom = status === 'scheduled' && slot !== undefined;
    return hasRoom || limited === true;
  });
}

/**
 * Asks the engines to cancel workflows that have begun, with one write, each as `cancelExecution` does.
 * @param atWork the consumer that calls this, if it acts on all of them itself. Then it gets no message; the `due` mark
 * stays until it is settled or the workflow ends
 * @returns the records that are `canceling` now; the others have changed since they were read
 */
export async function cancelBegun(
  deps: ControlDeps,
  records: readonly ExecutionRecord[],
  user: string,
  atWork?: DueConsumer,
): Promise<ExecutionRecord[]> {
  const begun = records.filter(isBegun);
  const occasion = { to: 'canceling', due: ['workflow-engine'], user, now: deps.clock.nowMicros(), atWork } as const;
  return moveTogether(deps, begun, { ...occasion, result: canceledBy(user) }, () => false);
}

/**
 * Cancels workflows that have begun and of which nothing is at work, with one write. They are never `canceling`. The caller has to
 * ensure that their runs request nothing more.
 * @param result their result
 * @param atWork as for `cancelWaiting`
 * @returns the records that are `canceled` now; the others have changed since they were read
 */
export async function cancelIdle(
  deps: ControlDeps,
  records: readonly ExecutionRecord[],
  { user, result, atWork }: IdleCancellation,
): Promise<ExecutionRecord[]> {
  const begun = records.filter(isBegun);
  const occasion = { to: 'canceled', due: [], user, now: deps.clock.nowMicros(), atWork, undue: atWork } as const;
  return moveTogether(deps, begun, { ...occasion, result }, ({ limited }) => limited === true);
}

export interface IdleCancellation {
  readonly user: string;
  readonly result: Record<string, unknown>;
  readonly atWork?: DueConsumer | undefined;
}

const isBegun = ({ action_is_workflow: isWorkflow, status }: ExecutionRecord): boolean =>
  isWorkflow && BEGUN.includes(status);

const canceledBy = (user: string) => ({ message: 'Action canceled by user.', user });

interface Occasion {
  readonly to: Status;
  /** As in a transition. */
  readonly due: readonly DueConsumer[];
  readonly user: string;
  readonly result: Record<string, unknown>;
  readonly now: Micros;
  /** Consumers that need no message. */
  readonly atWork?: DueConsumer | undefined;
  /** Consumers that get no `due` mark. */
  readonly undue?: DueConsumer | undefined;
}

/** @param freesRoom whether other executions may start because this one ends */
async function moveTogether(
  deps: ControlDeps,
  records: readonly ExecutionRecord[],
  occasion: Occasion,
  freesRoom: (before: ExecutionRecord) => boolean,
): Promise<ExecutionRecord[]> {
  if (records.length === 0) return [];
  const { executions, announce, results } = deps;
  const groups = await groupsOf(deps, records, occasion);
  const count = await executions.changeEach(groups);
  const moved = count === records.length ? groups.flatMap(movedOf) : await movedAmong(deps, records, occasion);
  const before = new Map(records.map((record) => [record._id, record]));
  const slice = slices();
  for (let at = 0; at < moved.length; at += TOLD_AT_A_TIME) {
    announce.movedTogether(
      moved.slice(at, at + TOLD_AT_A_TIME).map((record) => {
        return { record, atWork: occasion.atWork, freesRoom: freesRoom(before.get(record._id)!) };
      }),
    );
    await slice.next();
  }
  for (const { _id } of moved) {
    const { result_blob: former } = before.get(_id)!;
    if (former) await results.dropFormer({ result_blob: former });
  }
  return moved;
}

/** Records that get the same change. */
interface Group {
  readonly records: ExecutionRecord[];
  readonly ids: Id[];
  readonly expected: { readonly status: readonly Status[]; readonly revision: number };
  readonly change: RecordChange<ExecutionRecord>;
}

async function groupsOf(
  deps: ControlDeps,
  records: readonly ExecutionRecord[],
  { to, due: given, user, result, now, undue }: Occasion,
): Promise<Group[]> {
  const groups = new Map<string, Group>();
  for (const record of records) {
    const { _id: id, status, revision, definition } = record;
    const due = dueAfter(deps, record, to, given).filter((consumer) => consumer !== undue);
    const key = [status, revision, definition, ...due].join(' ');
    const known = groups.get(key);
    if (known) {
      known.records.push(record);
      known.ids.push(id);
      continue;
    }
    const { set, unset } = await deps.results.store({ definition }, result);
    const more = { set: { ...set, 'context.cancelled_by': user }, unset };
    const change = moveChange({ _id: id }, { to, due, now }, more);
    groups.set(key, { records: [record], ids: [id], expected: { status: [status], revision }, change });
  }
  return [...groups.values()];
}

/** The revision did not change in between, so the new records are known without another read. */
const movedOf = ({ records, change }: Group): ExecutionRecord[] =>
  records.map((record) => changedRecord(record, change));

/** Some were changed by others, or by a first attempt of which the response was lost. */
async function movedAmong(
  { executions }: ControlDeps,
  records: readonly ExecutionRecord[],
  { to, now }: Occasion,
): Promise<ExecutionRecord[]> {
  const found = await executions.list({ filter: { _id: isOneOf(records.map(({ _id }) => _id)) } });
  return found.filter(({ status, log }) => status === to && log.at(-1)?.timestamp === now);
}
