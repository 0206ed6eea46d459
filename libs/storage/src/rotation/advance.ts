import { isFault, MS_MICROS, type Micros } from '@switchyard/base';
import type { InstanceKeys, InstanceRecord, KeyRotationRecord } from '@switchyard/model';
import type { KeyRotationRepository } from '../repositories/key-rotations';
import { withCurrentKey, withCurrentKeyOnly, withNewKey } from '../sealing/key-file-changes';
import { rewriteKeyFile } from '../sealing/rewrite-key-file';
import type { Ring } from '../sealing/sealed-places';
import type { BlobDraft, DamagedValue, Resealers, StoreWalk } from './walk';

export interface RotationDeps {
  readonly rotations: Pick<KeyRotationRepository, 'last' | 'change'>;
  readonly walk: StoreWalk;
  readonly resealers: Resealers;
  /** The key files that are in use. */
  files(): Promise<Readonly<Partial<Record<Ring, string>>>>;
  /** The living processes that read or write encrypted values; none for a stopped system. */
  holders(): Promise<readonly InstanceRecord[]>;
  nowMicros(): Micros;
  /** A write that a process began before it used the new keys ends within this time. */
  readonly graceMs: number;
}

/** `more`: there is more to do. `waits`: it waits for processes, or for an operator. `settled`: there is nothing to
 * do. */
export type Advance = 'more' | 'waits' | 'settled';

type Change = Parameters<KeyRotationRepository['change']>[1];
type LostValues = KeyRotationRecord['lost'];
type Unreadable = Required<Pick<KeyRotationRecord, 'lost' | 'damaged'>>;

/** One step of a rotation, with its record as this process last wrote it. */
interface Turn {
  readonly record: KeyRotationRecord;
  /** Compare-and-set. @throws LostTurn if another process has changed the record */
  write(change: Change): Promise<void>;
  /** The same, unless the record has these values already. */
  note(set: NonNullable<Change['set']>): Promise<void>;
}

/** Another process has changed the rotation. */
class LostTurn extends Error {}

/**
 * Does the next step of the last rotation. Steps are safe to repeat, and each one ends with a compare-and-set of the rotation's record.
 * So a killed process costs one step, and it does not matter if two processes work on it for a while.
 *
 * 1. A new key is in the files of all processes before one of them seals with it.
 * 2. Values are encrypted again when no process seals with a former key any more.
 * 3. Former keys leave the files only on request, after a pass over the store that found no value under them.
 */
export async function advanceRotation(deps: RotationDeps): Promise<Advance> {
  const record = await deps.rotations.last();
  const step = record && STEPS[record.stage];
  if (!step) return 'settled';
  const turn = turnOf(deps, record);
  try {
    const outcome = await step(deps, turn);
    if (outcome === 'more' && turn.record.problem !== undefined) await turn.write({ unset: ['problem'] });
    return outcome;
  } catch (error) {
    if (error instanceof LostTurn) return 'more';
    if (!isFault(error) || error.code !== 'storage.key-file') throw error;
    await turn.note({ problem: error.message });
    return 'waits';
  }
}

function turnOf({ rotations }: RotationDeps, first: KeyRotationRecord): Turn {
  let record = first;
  const write = async (change: Change) => {
    const after = await rotations.change(record, change);
    if (!after) throw new LostTurn();
    record = after;
  };
  return {
    get record() {
      return record;
    },
    write,
    async note(set) {
      const isKnown = ([name, value]: [string, unknown]) =>
        JSON.stringify(record[name as keyof KeyRotationRecord]) === JSON.stringify(value);
      if (!Object.entries(set).every(isKnown)) await write({ set });
    },
  };
}

type Step = (deps: RotationDeps, turn: Turn) => Promise<Advance>;

async function addKeys({ files, holders }: RotationDeps, turn: Turn): Promise<Advance> {
  const used = Object.entries(await files()) as [Ring, string][];
  for (const [ring, path] of used) {
    const { keys } = turn.record;
    if (keys[ring] !== undefined) continue;
    // Both rings may be in one file.
    const [twin] = used.flatMap(([other, its]) => (its === path ? (keys[other] ?? []) : []));
    const id = twin ?? (await rewriteKeyFile(path, withNewKey));
    await turn.write({ set: { keys: { ...keys, [ring]: id } } });
  }
  const isWaiting = await waitsFor(turn, await holders(), ({ known }, id) => known.includes(id));
  if (isWaiting) return 'waits';
  await turn.write({ set: { stage: 'switching' } });
  return 'more';
}

async function switchKeys({ files, holders, walk, nowMicros }: RotationDeps, turn: Turn): Promise<Advance> {
  for (const [ring, path] of Object.entries(await files()) as [Ring, string][]) {
    const id = turn.record.keys[ring];
    if (id !== undefined) await rewriteKeyFile(path, (json) => ({ json: withCurrentKey(json, id), result: id }));
  }
  if (await waitsFor(turn, await holders(), isCurrent)) return 'waits';
  await turn.write({
    set: { stage: 'resealing', position: walk.start, found: 0, ...NONE_YET, in_use_at: nowMicros() },
  });
  return 'more';
}

async function resealValues(deps: RotationDeps, turn: Turn): Promise<Advance> {
  const over = await walkOn(deps, turn);
  if (over) await turn.write({ set: { stage: 'resealed', ...over, ended_at: deps.nowMicros() }, unset: ['position'] });
  return 'more';
}

async function retireKeys(deps: RotationDeps, turn: Turn): Promise<Advance> {
  const holders = await deps.holders();
  if (await waitsFor(turn, holders, isCurrent)) return 'waits';
  const { in_use_at: inUse = 0 } = turn.record;
  if (holders.length > 0 && deps.nowMicros() < inUse + deps.graceMs * MS_MICROS) return 'waits';
  const over = await walkOn(deps, turn);
  if (!over) return 'more';
  const done = { ...over, ended_at: deps.nowMicros() };
  const problem = await stillSealed(deps, over);
  if (problem !== undefined && turn.record.abandons !== true) {
    await turn.write({ set: { stage: 'resealed', problem, ...done }, unset: ['position'] });
    return 'settled';
  }
  for (const path of Object.values(await deps.files()))
    await rewriteKeyFile(path, (json) => ({ json: withCurrentKeyOnly(json), result: undefined }));
  await turn.write({ set: { stage: 'retired', ...done }, unset: ['position'] });
  return 'more';
}

const STEPS: Readonly<Partial<Record<KeyRotationRecord['stage'], Step>>> = {
  adding: addKeys,
  switching: switchKeys,
  resealing: resealValues,
  retiring: retireKeys,
};

type KnownKeys = NonNullable<InstanceKeys[Ring]>;

const isCurrent = ({ current }: KnownKeys, id: string): boolean => current === id;

/** Whether some processes do not have the new keys yet. Records their names. */
async function waitsFor(
  turn: Turn,
  holders: readonly InstanceRecord[],
  has: (keys: KnownKeys, id: string) => boolean,
): Promise<boolean> {
  const wanted = Object.entries(turn.record.keys) as [Ring, string][];
  const lacking = holders.filter(
    ({ keys }) => !wanted.every(([ring, id]) => keys?.[ring] !== undefined && has(keys[ring], id)),
  );
  await turn.note({ waiting_for: lacking.map(({ host, pid }) => `process ${pid} on ${host}`).sort() });
  return lacking.length > 0;
}

/** Damaged values that a rotation names. */
const MOST_NAMED = 100;
const NONE_YET: Unreadable = { lost: [], damaged: [] };

/** Processes one slice. @returns the values that no key can decrypt, at the end of a pass that had nothing to encrypt
 * again */
async function walkOn({ walk, resealers }: RotationDeps, turn: Turn): Promise<Unreadable | undefined> {
  const { drafts, position = walk.start } = turn.record;
  if (drafts) await walk.clean(drafts);
  const noteDrafts = (latest: readonly BlobDraft[]) => turn.write({ set: { drafts: [...latest] } });
  const { next, ...walked } = await walk.slice(position, resealers, noteDrafts);
  const found = turn.record.found + walked.found;
  const named: readonly DamagedValue[] = [...(turn.record.damaged ?? []), ...walked.damaged];
  const unreadable = { lost: summed(turn.record.lost, walked.lost), damaged: named.slice(0, MOST_NAMED) };
  if (!next && found === 0) return unreadable;
  const progress = next ? { position: next, found, ...unreadable } : { position: walk.start, found: 0, ...NONE_YET };
  await turn.write({ set: { ...progress, resealed: turn.record.resealed + walked.found }, unset: ['drafts'] });
  return undefined;
}

function summed(before: LostValues, more: Readonly<Record<string, number>>): LostValues {
  const counts = new Map(before.map(({ key, count }) => [key, count]));
  for (const [key, count] of Object.entries(more)) counts.set(key, (counts.get(key) ?? 0) + count);
  return [...counts].map(([key, count]) => ({ key, count }));
}

/** Why the former keys must stay: a value is damaged, although its key exists. */
async function stillSealed({ resealers }: RotationDeps, { lost, damaged }: Unreadable): Promise<string | undefined> {
  const resealed = [await resealers('records'), await resealers('datastore')];
  const kept = lost.filter(({ key }) => resealed.some((resealer) => resealer?.isFormer(key)));
  if (kept.length === 0) return undefined;
  const what = kept.map(({ key, count }) => `${count} with the key "${key}"`).join(', ');
  const first = damaged
    .slice(0, 3)
    .map(({ collection, id, field }) => `${field} of ${id} in ${collection}`)
    .join('; ');
  return `The former keys stay, because values that were encrypted with them cannot be decrypted: ${what}. Set or remove them (${first}${damaged.length > 3 ? '; …' : ''}), or give them up with --abandon-damaged.`;
}
