import { fault, HOUR_MS, MS_MICROS, type Micros } from '@switchyard/base';
import type { InstanceRecord } from '@switchyard/model';
import type { StoreCollections } from '../collections';
import { startingWith, where } from '../filter';
import type { MetaRecord } from '../layouts/operation-layouts';
import type { ContractMigration, MigratedBatch, Migration, RecordMigration } from './migration';
import { MIGRATIONS } from './migrations';
import { olderProcesses } from './older-processes';
import { admitProgram, schemaOf, setSchema } from './schema-version';

/** `available`: a contraction that has not happened, because older programs might still be needed. */
export interface MigrationState extends Pick<Migration, 'name' | 'phase' | 'purpose'> {
  readonly state: 'done' | 'pending' | 'available';
  /** Why it is pending, or what it has done. */
  readonly detail: string;
}

/** The migrations of one store. Any number of processes may use them at the same time. */
export interface StoreMigrations {
  /** Whether programs of the last version can still write records, so that migrations have to go on. */
  isOpen(): Promise<boolean>;
  /** @param alive the processes that use the store */
  list(alive: readonly InstanceRecord[]): Promise<MigrationState[]>;
  /** Adds what this version needs. */
  expand(): Promise<void>;
  /**
   * Migrates the records that were stored since the last pass, all of them in the first one. Yields after each batch; an
   * interrupted pass continues there.
   */
  pass(nowMicros: () => Micros): AsyncGenerator<MigratedBatch, void, undefined>;
  /**
   * Keeps programs of earlier versions out, once their processes have ended and all records are migrated.
   * @param alive the processes that use the store
   * @throws Fault `storage.older-processes`
   */
  contract(alive: readonly InstanceRecord[], nowMicros: () => Micros): Promise<void>;
}

/** How far a migration of records has come, as the `value` of a record in `meta`. */
interface Progress {
  readonly revision: number;
  /** All records up to this id were migrated when the pass read them. */
  readonly position: string;
  /** The start of the pass that has not ended. */
  readonly began?: Micros;
  /** The end of the last pass. */
  readonly ended?: Micros;
  readonly changed: number;
}

const NOT_BEGUN: Progress = { revision: 0, position: '', changed: 0 };

/** A record may be stored some time after its id was made, by a clock that may be wrong. */
const OVERLAP: Micros = HOUR_MS * MS_MICROS;

/** @param migrations for tests */
export function storeMigrations(
  collections: StoreCollections,
  migrations: readonly Migration[] = MIGRATIONS,
): StoreMigrations {
  const { meta } = collections;
  const contractions = migrations.filter((each) => each.phase === 'contract');
  const newest = contractions.at(-1)?.schema ?? 0;
  const isOpen = async () => (await schemaOf(meta)) < newest;

  async function* pass(nowMicros: () => Micros) {
    for (const migration of migrations)
      if (migration.phase === 'migrate' && (await isOpen())) yield* passOf(collections, migration, nowMicros);
  }

  async function expand() {
    await admitProgram(meta);
    for (const migration of migrations) if (migration.phase === 'expand') await migration.run(collections);
  }

  return {
    isOpen,
    expand,
    pass,
    async list(alive) {
      const schema = await schemaOf(meta);
      const older = olderProcesses(alive, newest);
      const states: MigrationState[] = [];
      for (const migration of migrations) {
        const { name, phase, purpose } = migration;
        states.push({ name, phase, purpose, ...(await stateOf(collections, migration, { schema, newest, older })) });
      }
      return states;
    },
    async contract(alive, nowMicros) {
      const older = olderProcesses(alive, newest);
      if (older.length > 0) throw fault('storage.older-processes', { processes: older.join('; ') });
      await expand();
      for await (const _ of pass(nowMicros));
      if (await isOpen()) await setSchema(meta, newest);
    },
  };
}

interface Standing {
  readonly schema: number;
  readonly newest: number;
  readonly older: readonly string[];
}

type StateOnly = Pick<MigrationState, 'state' | 'detail'>;

async function stateOf(collections: StoreCollections, migration: Migration, standing: Standing): Promise<StateOnly> {
  if (migration.phase === 'contract') return contractState(migration, standing);
  if (migration.phase === 'migrate') return recordState(await progressOf(collections, migration), standing);
  const missing = await migration.missing(collections);
  if (missing.length === 0) return { state: 'done', detail: '' };
  return { state: 'pending', detail: `missing: ${missing.join(', ')}` };
}

function contractState({ schema }: ContractMigration, standing: Standing): StateOnly {
  if (standing.schema >= schema) return { state: 'done', detail: `schema version ${standing.schema}` };
  return { state: 'available', detail: 'svc migrate --contract, when nobody will go back' };
}

function recordState({ began, ended, position, changed }: Progress, { schema, newest, older }: Standing): StateOnly {
  const detail = `${changed} records changed`;
  if (schema >= newest) return { state: 'done', detail };
  if (ended === undefined && began === undefined) return { state: 'pending', detail: 'not begun' };
  if (ended === undefined) return { state: 'pending', detail: `${detail}, up to ${position}` };
  if (older.length === 0) return { state: 'done', detail };
  return { state: 'pending', detail: `${detail}; processes of an earlier version still run: ${older.join('; ')}` };
}

async function* passOf(
  collections: StoreCollections,
  migration: RecordMigration,
  nowMicros: () => Micros,
): AsyncGenerator<MigratedBatch, void, undefined> {
  for (;;) {
    const before = await progressOf(collections, migration);
    const began = before.began ?? nowMicros();
    const batch = await migration.batch(collections, before.position);
    const changed = before.changed + batch.changed;
    const isLast = batch.last === undefined;
    await advance(collections, migration, before, {
      revision: before.revision + 1,
      changed,
      // Ids made while the pass ran may belong to records that were stored after it had read past them.
      position: batch.last ?? idAt(began - OVERLAP),
      ...(isLast ? { ended: nowMicros() } : { began, ...(before.ended !== undefined && { ended: before.ended }) }),
    });
    yield batch;
    if (isLast) return;
  }
}

const PROGRESS = 'migration ';
const recordOf = ({ name }: RecordMigration): string => PROGRESS + name;

async function progressOf({ meta }: StoreCollections, migration: RecordMigration): Promise<Progress> {
  const stored = await meta.get(recordOf(migration));
  return stored === undefined || stored.unreadable !== undefined ? NOT_BEGUN : (stored.value as Progress);
}

/** If another process has changed the progress, that one counts: the records of this batch are migrated anyway. */
async function advance(
  { meta }: StoreCollections,
  migration: RecordMigration,
  before: Progress,
  value: Progress,
): Promise<void> {
  const _id = recordOf(migration);
  if (before === NOT_BEGUN) await meta.put({ _id, value });
  else await meta.change({ _id, ...where<MetaRecord>('value.revision', before.revision) }, { set: { value } });
}

/** For a store with records that were not there before: the next pass reads all of them. */
export async function forgetProgress({ meta }: Pick<StoreCollections, 'meta'>): Promise<void> {
  await meta.removeAll({ _id: startingWith(PROGRESS) });
}

const SECONDS_HEX_DIGITS = 8;
const ID_DIGITS = 24;
const HEX = 16;
const SECOND: Micros = 1_000_000;

/** The smallest id of a second. */
const idAt = (time: Micros): string =>
  Math.max(0, Math.floor(time / SECOND))
    .toString(HEX)
    .padStart(SECONDS_HEX_DIGITS, '0')
    .padEnd(ID_DIGITS, '0');
