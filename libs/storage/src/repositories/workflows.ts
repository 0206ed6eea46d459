import { isFault, type Id, type Micros } from '@switchyard/base';
import type { BlobPointer, WorkflowDefinitionRecord, WorkflowJournalRecord, WorkflowRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import { isOneOf, isThere, noneOf } from '../filter';

/** Workflow runs: one record each, and a journal with the changes of every step. */
export interface WorkflowRepository {
  /** Inserts the record, or returns the existing one. */
  insert(record: WorkflowRecord): Promise<{ record: WorkflowRecord; created: boolean }>;
  get(id: Id): Promise<WorkflowRecord | undefined>;
  /** The existing ones among some runs, unordered. */
  getAll(ids: readonly Id[]): Promise<WorkflowRecord[]>;
  /** The runs that began within a time range, the oldest first. */
  oldest(after: { from: Micros; except: readonly Id[] }, before: Micros, limit: number): Promise<WorkflowRecord[]>;
  /** The large values of their journals. */
  blobsOf(ids: readonly Id[]): Promise<BlobPointer[]>;
  /** Removes runs and their journals. */
  removeAll(ids: readonly Id[]): Promise<void>;
  /** Compare-and-set of the owner. @returns the new record, or undefined if the owner was another one */
  own(id: Id, owner: Id, before: Id): Promise<WorkflowRecord | undefined>;
  /** Sets the owner of open runs, whoever it was. */
  adopt(ids: readonly Id[], owner: Id): Promise<void>;
  /** Reopens an ended run for an execution that runs some of its tasks again; undefined if it has not ended. */
  reopen(id: Id, execution: Id, owner: Id): Promise<WorkflowRecord | undefined>;
  /** Records that runs have ended and all consumers were notified. */
  close(ids: readonly Id[]): Promise<void>;
  /** The owners of unfinished runs. Costs one look-up per owner, however many runs there are. */
  owners(): Promise<Id[]>;
  openOf(owner: Id): Promise<WorkflowRecord[]>;
  /** Compare-and-set of a run. @returns false if a step with this number exists */
  append(step: WorkflowJournalRecord): Promise<boolean>;
  hasStep(workflow: Id, revision: number): Promise<boolean>;
  step(id: string): Promise<WorkflowJournalRecord | undefined>;
  /** All steps, in order. */
  journal(workflow: Id): Promise<WorkflowJournalRecord[]>;
  putDefinition(definition: WorkflowDefinitionRecord): Promise<void>;
  getDefinition(id: string): Promise<WorkflowDefinitionRecord | undefined>;
}

export interface WorkflowCollections {
  runs: Collection<WorkflowRecord>;
  journal: Collection<WorkflowJournalRecord>;
  definitions: Collection<WorkflowDefinitionRecord>;
}

const KNOWN_DEFINITIONS = 2000;

export function workflowRepository({ runs, journal, definitions }: WorkflowCollections): WorkflowRepository {
  const stored = new Set<string>();
  return {
    async insert(record) {
      if (await insertOnce(runs, record)) return { record, created: true };
      return { record: (await runs.get(record._id))!, created: false };
    },
    get: (id) => runs.get(id),
    getAll: (ids) => runs.list({ filter: { _id: isOneOf(ids) } }),
    oldest: ({ from, except }, before, limit) =>
      runs.list({
        filter: { started_at: { $gte: from, $lt: before }, _id: noneOf(except) },
        sort: { started_at: 1 },
        limit,
      }),
    async blobsOf(ids) {
      const filter = { workflow: isOneOf(ids), step_blob: isThere };
      return (await journal.list({ filter, fields: ['step_blob'] })).flatMap(({ step_blob: blob }) => blob ?? []);
    },
    async removeAll(ids) {
      await runs.removeAll({ _id: isOneOf(ids) });
      await journal.removeAll({ workflow: isOneOf(ids) });
    },
    own: (_id, owner, before) => runs.change({ _id, owner: before }, { set: { owner, adopted: true } }),
    async adopt(ids, owner) {
      await runs.changeAll({ _id: { $in: ids }, open: isThere }, { set: { owner, adopted: true } });
    },
    reopen: (_id, execution, owner) =>
      runs.change({ _id, open: { $exists: false } }, { set: { execution, owner, open: true } }),
    async close(ids) {
      await runs.changeAll({ _id: { $in: ids } }, { unset: ['open'] });
    },
    async owners() {
      const owners: Id[] = [];
      for (;;) {
        const filter = { open: isThere, owner: { $gt: owners.at(-1) ?? '' } };
        const [next] = await runs.list({ filter, sort: { owner: 1 }, limit: 1, fields: ['owner'] });
        if (!next) return owners;
        owners.push(next.owner);
      }
    },
    openOf: (owner) => runs.list({ filter: { owner, open: { $exists: true } } }),
    append: (step) => insertOnce(journal, step),
    hasStep: async (workflow, revision) => (await journal.get(`${workflow}:${revision}`)) !== undefined,
    step: (id) => journal.get(id),
    journal: (workflow) => journal.list({ filter: { workflow }, sort: { revision: 1 } }),
    async putDefinition(definition) {
      if (stored.has(definition._id)) return;
      await insertOnce(definitions, definition);
      if (stored.size >= KNOWN_DEFINITIONS) stored.clear();
      stored.add(definition._id);
    },
    getDefinition: (id) => definitions.get(id),
  };
}

/** @returns false if one with this id exists */
async function insertOnce<T extends { _id: string }>(collection: Collection<T>, record: T): Promise<boolean> {
  try {
    await collection.insert(record);
    return true;
  } catch (error) {
    if (isFault(error) && error.code === 'storage.duplicate') return false;
    throw error;
  }
}
