import { SECOND_MICROS, type Clock, type Id } from '@switchyard/base';
import type { ExecutionRecords, Executions } from '@switchyard/executions';
import { isTerminal, opensAt, roomLeft, type ExecutionRecord, type LimitRecord } from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';
import type { KnownLimits } from './limits';
import type { Openings } from './gate';

export interface SweepLimitsDeps {
  store: Pick<Store, 'limits'>;
  executions: Pick<Executions, 'records'>;
  known: KnownLimits;
  openings: Openings;
  clock: Pick<Clock, 'nowMicros'>;
}

const BATCH = 500;

/**
 * Repairs the effects of lost messages and dead schedulers: room that is taken by executions that have ended or never
 * started, and groups with both room and waiting executions.
 * @returns whether nothing is left to check: no policy, no room taken, nothing waiting
 */
export async function sweepLimits(deps: SweepLimitsDeps): Promise<boolean> {
  const { store, executions, known } = deps;
  await known.recount();
  const limits = await store.limits.list();
  const holders = await readHolders(executions.records, limits);
  for (const record of limits) await dropEnded(deps, record, holders);
  const waitedOn = new Set(await executions.records.waitedOn());
  openWaited(deps, limits, waitedOn);
  for (const record of limits) if (isIdle(deps, record, waitedOn)) await store.limits.remove(record);
  return !known.any() && limits.length === 0 && waitedOn.size === 0;
}

type Holder = Pick<ExecutionRecord, '_id' | 'status' | 'waits_on'>;

async function readHolders(
  records: Pick<ExecutionRecords, 'list'>,
  limits: readonly LimitRecord[],
): Promise<ReadonlyMap<Id, Holder>> {
  const ids = [...new Set(limits.flatMap((limit) => [...limit.holders, ...limit.starts.map(({ id }) => id)]))];
  const found = new Map<Id, Holder>();
  for (let from = 0; from < ids.length; from += BATCH) {
    const filter = { _id: isOneOf(ids.slice(from, from + BATCH)) };
    for (const record of await records.list({ filter, fields: ['status', 'waits_on'] })) found.set(record._id, record);
  }
  return found;
}

async function dropEnded(
  { store, executions, openings, clock }: SweepLimitsDeps,
  { _id: key, holders, starts }: LimitRecord,
  records: ReadonlyMap<Id, Holder>,
): Promise<void> {
  const ended = holders.filter((id) => {
    const record = records.get(id);
    return !record || isTerminal(record.status);
  });
  await store.limits.drop(key, ended);
  if (ended.length > 0) openings.open(key);
  // The execution has its room, but the scheduler that took it got no further.
  for (const id of [...holders, ...starts.map((start) => start.id)])
    if (records.get(id)?.waits_on === key) await executions.records.stopWaiting({ id }, clock.nowMicros());
}

function openWaited(
  { known, openings, clock }: SweepLimitsDeps,
  limits: readonly LimitRecord[],
  waitedOn: ReadonlySet<string>,
): void {
  const now = clock.nowMicros();
  const byKey = new Map(limits.map((record) => [record._id, record]));
  for (const key of waitedOn) {
    const limit = known.limitOf(key);
    if (!limit) continue;
    const taken = byKey.get(key);
    const at = opensAt(limit, taken, now);
    if (roomLeft(limit, taken, now) > 0) openings.open(key);
    else if (at !== undefined) openings.openAt(key, at);
  }
}

/** A policy that this process does not know counts as deleted when it was last used longer ago than this. */
const GONE_MICROS = 10 * SECOND_MICROS;

/** The record of the group holds no further information. */
function isIdle({ known, clock }: SweepLimitsDeps, record: LimitRecord, waitedOn: ReadonlySet<string>): boolean {
  if (record.holders.length > 0 || waitedOn.has(record._id)) return false;
  const limit = known.limitOf(record._id);
  const now = clock.nowMicros();
  if (limit) return roomLeft(limit, record, now) === limit.room;
  return (record.starts.at(-1)?.at ?? 0) < now - GONE_MICROS;
}
