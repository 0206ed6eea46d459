import { createHash } from 'node:crypto';
import { unreadableView, type ActionRecord, type DefinitionRecord, type RunnerTypeRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { isDuplicateKey } from '../duplicate-keys';

/** Former and current definitions of actions and runners. Each content is stored once and never changed. */
export interface DefinitionRepository {
  /** The definition of an action and its runner. Stores nothing. */
  snapshot(action: ActionRecord, runner: RunnerTypeRecord): DefinitionRecord;
  /** Stores a definition if it is missing. */
  put(definition: DefinitionRecord): Promise<void>;
  get(hash: string): Promise<DefinitionRecord | undefined>;
}

const CACHED = 2000;

export function definitionRepository(definitions: Collection<DefinitionRecord>): DefinitionRepository {
  /** Definitions known to be stored. */
  const known = new Map<string, DefinitionRecord>();
  // Records are replaced, never changed in place, so each pair of objects needs to be hashed only once.
  const hashed = new WeakMap<ActionRecord, WeakMap<RunnerTypeRecord, DefinitionRecord>>();
  const remember = (record: DefinitionRecord) => {
    if (known.size >= CACHED) known.delete(known.keys().next().value as string);
    known.set(record._id, record);
    return record;
  };
  return {
    snapshot(action, runner) {
      const byRunner = hashed.get(action) ?? new WeakMap<RunnerTypeRecord, DefinitionRecord>();
      const record = byRunner.get(runner) ?? contentOf(action, runner);
      hashed.set(action, byRunner.set(runner, record));
      return record;
    },
    async put(record) {
      if (known.has(record._id)) return;
      const stored = await definitions.get(record._id);
      if (!stored || unreadableView(stored)) await insertOnce(definitions, record);
      remember(record);
    },
    async get(hash) {
      const cached = known.get(hash);
      if (cached) return cached;
      const record = await definitions.get(hash);
      return record && !unreadableView(record) ? remember(record) : record;
    },
  };
}

function contentOf(
  { _id: actionId, ...action }: ActionRecord,
  { _id: runnerId, ...runner }: RunnerTypeRecord,
): DefinitionRecord {
  const content = { action: { id: actionId, ...action }, runner: { id: runnerId, ...runner } };
  return { _id: createHash('sha256').update(JSON.stringify(content)).digest('hex'), ...content };
}

async function insertOnce(definitions: Collection<DefinitionRecord>, record: DefinitionRecord): Promise<void> {
  try {
    await definitions.insert(record);
  } catch (error) {
    if (!isDuplicateKey((error as Error).cause)) throw error;
  }
}
