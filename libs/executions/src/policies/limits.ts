import type { Clock, Id } from '@switchyard/base';
import {
  attributesOf,
  isHolder,
  isLimiting,
  isTerminal,
  limitOf,
  roomLeft,
  withHolder,
  withoutHolder,
  type ExecutionRecord,
  type Limit,
  type LimitRecord,
  type PolicyRecord,
  type Status,
} from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { ParameterResolver } from '../parameters';
import type { RecordSecrets } from '../execution-record';
import { transition, type TransitionDeps } from '../transition';

export interface LimitsDeps {
  store: Pick<Store, 'policies' | 'definitions'>;
  parameters: ParameterResolver;
  secrets: RecordSecrets;
}

/** The limits that apply to an execution. Parameters are read only if a policy groups by them. */
export async function policyLimitsOf(deps: LimitsDeps, record: ExecutionRecord): Promise<readonly Limit[]> {
  const policies = await limitingPolicies(deps.store.policies, record);
  if (policies.length === 0) return [];
  const values = policies.some((policy) => attributesOf(policy).length > 0) ? await valuesOf(deps, record) : {};
  return policies.map((policy) => limitOf(policy, values));
}

/** Parameters as the run will get them, with defaults; as given, if they cannot be rendered. */
async function valuesOf(
  { store, parameters, secrets }: LimitsDeps,
  record: ExecutionRecord,
): Promise<Record<string, unknown>> {
  const given = secrets.openParameters(record);
  const definition = await store.definitions.get(record.definition);
  if (!definition) return given;
  try {
    const finished = await parameters.finish(definition, given, record.context);
    return { ...finished.runnerParameters, ...finished.actionParameters };
  } catch {
    // The run will fail for the same reason; until then the execution counts in a group like any other.
    return given;
  }
}

/**
 * The policies that limit an execution, from the cache. If a policy limited it at its request and the cache has none,
 * the cache is outdated and the store is read.
 */
async function limitingPolicies(
  policies: Store['policies'],
  { action_ref: ref, limited }: Pick<ExecutionRecord, 'action_ref' | 'limited'>,
): Promise<readonly PolicyRecord[]> {
  const known = (await policies.inForce()).of(ref).filter(isLimiting);
  return known.length > 0 || !limited ? known : (await policies.renewed()).of(ref).filter(isLimiting);
}

export interface RoomDeps {
  store: Pick<Store, 'executions' | 'limits'>;
  clock: Pick<Clock, 'nowMicros'>;
}

/** `behind`: there is room, but another execution comes first. */
export type Taken =
  | { readonly outcome: 'taken' | 'behind' }
  /** With the executions that hold the room. */
  | { readonly outcome: 'full'; readonly by: ReadonlySet<Id> };

type Candidate = Pick<ExecutionRecord, '_id' | 'pool' | 'priority' | 'schedule_at' | 'waits_on'>;

/**
 * Takes room in a group for an execution, by compare-and-set, so that any number of schedulers together cannot exceed
 * the limit. The limit is read first and the waiting executions after that: anyone who took room in between has changed
 * the limit. Room that another scheduler has already taken for the same execution is reused.
 * @param taker identifies who takes it, for `giveRoomBack`
 */
export async function takeRoom(deps: RoomDeps, limit: Limit, record: Candidate, taker: string): Promise<Taken> {
  const { store, clock } = deps;
  for (;;) {
    const before = await store.limits.get(limit.key);
    const now = clock.nowMicros();
    if (isHolder(limit, before, record._id, now)) {
      // The scheduler that took it before can no longer give it back.
      if (before?.takers?.[record._id] === taker || (await hold(deps, limit, before, record._id, taker)))
        return { outcome: 'taken' };
      continue;
    }
    if (roomLeft(limit, before, now) <= 0) return { outcome: 'full', by: holdersOf(before) };
    if (await isBehind(store, limit, record)) return { outcome: 'behind' };
    if (await hold(deps, limit, before, record._id, taker)) return { outcome: 'taken' };
  }
}

const holdersOf = (taken: LimitRecord | undefined): ReadonlySet<Id> =>
  new Set([...(taken?.holders ?? []), ...(taken?.starts ?? []).map(({ id }) => id)]);

/** Counts an execution that is already running, whether or not there is room for it. */
export async function countIn(deps: RoomDeps, limit: Limit, id: Id): Promise<void> {
  for (;;) {
    const before = await deps.store.limits.get(limit.key);
    if (isHolder(limit, before, id, deps.clock.nowMicros()) || (await hold(deps, limit, before, id))) return;
  }
}

/** The first revision is the time, so that a group that was removed and created again never has an earlier revision. */
function hold(
  { store, clock }: RoomDeps,
  limit: Limit,
  before: LimitRecord | undefined,
  id: Id,
  taker?: string,
): Promise<boolean> {
  const now = clock.nowMicros();
  const revision = (before?.revision ?? now) + 1;
  return store.limits.save({ _id: limit.key, revision, ...withHolder(limit, before, id, now, taker) }, before);
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

/**
 * Gives back the room of an execution that was not scheduled after all. Another scheduler may be about to schedule the execution:
 * 1. If it has read the execution before, it can no longer schedule it, because the revision of the record is increased first.
 * 2. If it reads the execution after that, it takes over the room that is still there, which is then not given back.
 * If it has scheduled the execution, that may have ended by now. Its start still counts, but it holds no more room.
 * @param taker as in `takeRoom`
 * @returns false if the execution was scheduled and keeps its room
 */
export async function giveRoomBack(
  { store }: RoomDeps,
  keys: readonly string[],
  id: Id,
  taker: string,
): Promise<boolean> {
  const state = await keepWaiting(store, id);
  if (state === 'scheduled') return false;
  for (const key of keys) {
    if (state === 'ended') await store.limits.drop(key, [id]);
    else await dropHolder(store, key, id, taker);
  }
  return true;
}

const WAITING: readonly Status[] = ['requested', 'delayed'];

/**
 * Keeps a waiting execution from being scheduled by whoever has read it before.
 * @returns its state; `ended` only if it was scheduled at some time
 */
async function keepWaiting(
  { executions }: RoomDeps['store'],
  id: Id,
): Promise<'not scheduled' | 'scheduled' | 'ended'> {
  for (;;) {
    const record = await executions.get(id);
    if (!record) return 'not scheduled';
    const { status, revision, log } = record;
    if (isTerminal(status)) return log.some((entry) => entry.status === 'scheduled') ? 'ended' : 'not scheduled';
    if (!WAITING.includes(status)) return 'scheduled';
    if (await executions.change(id, { status: [status], revision }, { inc: { revision: 1 } })) return 'not scheduled';
  }
}

async function dropHolder({ limits }: RoomDeps['store'], key: string, id: Id, taker: string): Promise<void> {
  for (;;) {
    const before = await limits.get(key);
    if (before?.takers?.[id] !== taker) return;
    const after = withoutHolder(before, id);
    if (await limits.save({ _id: key, revision: before.revision + 1, ...after }, before)) return;
  }
}

/**
 * Takes an execution out of the backlog until there is room in a group. An execution with a delay in its request stays
 * delayed. Does nothing if the record has changed since it was read.
 */
export async function waitForRoom(deps: TransitionDeps, record: ExecutionRecord, limit: Limit): Promise<void> {
  const { revision } = record;
  const set = { waits_on: limit.key, waiting_for: `policy "${limit.policy.ref}"` };
  if (record.status === 'requested') {
    await transition(deps, record, 'delayed', { from: ['requested'], revision, set });
    return;
  }
  const others = (record.due ?? []).filter((consumer) => consumer !== 'scheduler');
  await deps.executions.change(
    record._id,
    { status: ['delayed'], revision },
    {
      set: { ...set, ...(others.length > 0 ? { due: others } : {}) },
      unset: others.length > 0 ? [] : ['due', 'due_at'],
      inc: { revision: 1 },
    },
  );
}
