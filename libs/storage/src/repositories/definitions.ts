import { createHash } from 'node:crypto';
import type { ActionRecord, DefinitionRecord, RunnerTypeRecord } from '@switchyard/model';
import { isDuplicateKey, type Collection } from '../collection';

/** Definitions of actions and runners as they were, each content stored once and never changed. */
export interface DefinitionRepository {
  /** Stores a pair unless it is there already. @returns its content hash */
  put(action: ActionRecord, runner: RunnerTypeRecord): Promise<DefinitionRecord>;
  get(hash: string): Promise<DefinitionRecord | undefined>;
}

const CACHED = 2000;

export function definitionRepository(definitions: Collection<DefinitionRecord>): DefinitionRepository {
  const known = new Map<string, DefinitionRecord>();
  // Records are replaced, never changed in place, so a pair of objects that was hashed once need not be hashed again.
  const hashed = new WeakMap<ActionRecord, WeakMap<RunnerTypeRecord, DefinitionRecord>>();
  const remember = (record: DefinitionRecord) => {
    if (known.size >= CACHED) known.delete(known.keys().next().value as string);
    known.set(record._id, record);
    return record;
  };
  return {
    async put(action, runner) {
      const seen = hashed.get(action)?.get(runner);
      if (seen) return seen;
      const record = snapshot(action, runner);
      if (!known.has(record._id) && !(await definitions.get(record._id))) await insertOnce(definitions, record);
      const byRunner = hashed.get(action) ?? new WeakMap<RunnerTypeRecord, DefinitionRecord>();
      hashed.set(action, byRunner.set(runner, record));
      return remember(record);
    },
    async get(hash) {
      const cached = known.get(hash);
      if (cached) return cached;
      const record = await definitions.get(hash);
      return record && remember(record);
    },
  };
}

function snapshot(
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
