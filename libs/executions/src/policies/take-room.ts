import type { Clock, Id } from '@switchyard/base';
import {
  isHolder,
  roomLeft,
  withHolder,
  withoutHolder,
  type ExecutionRecord,
  type Limit,
  type LimitRecord,
} from '@switchyard/model';
import type { Store } from '@switchyard/storage';

export interface RoomDeps {
  store: Pick<Store, 'executions' | 'limits'>;
  clock: Pick<Clock, 'nowMicros'>;
}

/** `behind`: there is room, but somebody waits for it who comes before. */
export type Taken =
  | { readonly outcome: 'taken' | 'held' | 'behind' }
  /** With those who have taken it. */
  | { readonly outcome: 'full'; readonly by: ReadonlySet<Id> };

type Candidate = Pick<ExecutionRecord, '_id' | 'pool' | 'priority' | 'schedule_at' | 'waits_on'>;

/**
 * Takes room in a group for an execution, by compare-and-set, so that no number of schedulers gives out more than there
 * is. What is stored is read first and who waits after that: whoever got room in between has changed what is stored.
 */
export async function takeRoom(deps: RoomDeps, limit: Limit, record: Candidate): Promise<Taken> {
  const { store, clock } = deps;
  for (;;) {
    const before = await store.limits.get(limit.key);
    const now = clock.nowMicros();
    if (isHolder(limit, before, record._id, now)) return { outcome: 'held' };
    if (roomLeft(limit, before, now) <= 0) return { outcome: 'full', by: holdersOf(before) };
    if (await isBehind(store, limit, record)) return { outcome: 'behind' };
    if (await hold(deps, limit, before, record._id)) return { outcome: 'taken' };
  }
}

const holdersOf = (taken: LimitRecord | undefined): ReadonlySet<Id> =>
  new Set([...(taken?.holders ?? []), ...(taken?.starts ?? []).map(({ id }) => id)]);

/** Notes one that is under way already, whether or not there is room for it. */
export async function countIn(deps: RoomDeps, limit: Limit, id: Id): Promise<void> {
  for (;;) {
    const before = await deps.store.limits.get(limit.key);
    if (isHolder(limit, before, id, deps.clock.nowMicros()) || (await hold(deps, limit, before, id))) return;
  }
}

/** A group that was forgotten and is begun anew must not look like an earlier one: its revision begins with the time. */
function hold({ store, clock }: RoomDeps, limit: Limit, before: LimitRecord | undefined, id: Id): Promise<boolean> {
  const now = clock.nowMicros();
  const revision = (before?.revision ?? now) + 1;
  return store.limits.save({ _id: limit.key, revision, ...withHolder(limit, before, id, now) }, before);
}

async function isBehind({ executions }: RoomDeps['store'], limit: Limit, record: Candidate): Promise<boolean> {
  if (record.waits_on === limit.key) return false;
  const [first] = await executions.waitingOn(limit.key, record.pool, 1);
  return first !== undefined && first._id !== record._id && goesBefore(first, record);
}

/** The order of the backlog: higher priorities first, then earlier times. */
export const goesBefore = (
  a: Pick<ExecutionRecord, 'priority' | 'schedule_at'>,
  b: Pick<ExecutionRecord, 'priority' | 'schedule_at'>,
): boolean => (a.priority === b.priority ? a.schedule_at < b.schedule_at : a.priority > b.priority);

/** Gives back what was taken for an execution that was not started after all. */
export async function giveRoomBack({ store }: RoomDeps, key: string, id: string): Promise<void> {
  for (;;) {
    const before = await store.limits.get(key);
    if (!before) return;
    const after = withoutHolder(before, id);
    if (await store.limits.save({ _id: key, revision: before.revision + 1, ...after }, before)) return;
  }
}
