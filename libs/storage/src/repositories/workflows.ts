import { isFault, type Id } from '@switchyard/base';
import type { WorkflowDefinitionRecord, WorkflowJournalRecord, WorkflowRecord } from '@switchyard/model';
import type { Collection } from '../collection';

/** Runs of workflows: a record each, and a journal of what every step has changed. */
export interface WorkflowRepository {
  /** Inserts, or answers the record that is there already. */
  insert(record: WorkflowRecord): Promise<{ record: WorkflowRecord; created: boolean }>;
  get(id: Id): Promise<WorkflowRecord | undefined>;
  /** Compare-and-set of the owner. @returns the record afterwards, undefined when it was somebody else's */
  own(id: Id, owner: Id, before: Id): Promise<WorkflowRecord | undefined>;
  /** Opens a run that has ended for an execution that runs some of its tasks once more; undefined when it has not ended. */
  reopen(id: Id, execution: Id, owner: Id): Promise<WorkflowRecord | undefined>;
  /** Notes that the run has ended and everybody knows. */
  close(id: Id): Promise<void>;
  /** Who works on runs that have not ended. */
  owners(): Promise<Id[]>;
  openOf(owner: Id): Promise<WorkflowRecord[]>;
  /** The compare-and-set of a run. @returns false when a step with this number is there already */
  append(step: WorkflowJournalRecord): Promise<boolean>;
  hasStep(workflow: Id, revision: number): Promise<boolean>;
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
    own: (_id, owner, before) => runs.change({ _id, owner: before }, { set: { owner } }),
    reopen: (_id, execution, owner) =>
      runs.change({ _id, open: { $exists: false } }, { set: { execution, owner, open: true } }),
    async close(_id) {
      await runs.change({ _id }, { unset: ['open'] });
    },
    owners: async () => (await runs.distinct('owner', { open: { $exists: true } })) as Id[],
    openOf: (owner) => runs.list({ filter: { owner, open: { $exists: true } } }),
    append: (step) => insertOnce(journal, step),
    hasStep: async (workflow, revision) => (await journal.get(`${workflow}:${revision}`)) !== undefined,
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

/** @returns false when there is one with this id */
async function insertOnce<T extends { _id: string }>(collection: Collection<T>, record: T): Promise<boolean> {
  try {
    await collection.insert(record);
    return true;
  } catch (error) {
    if (isFault(error) && error.code === 'storage.duplicate') return false;
    throw error;
  }
}
