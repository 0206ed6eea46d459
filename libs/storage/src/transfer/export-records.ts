import type { Micros } from '@switchyard/base';
import { isStatus, isTerminal, type ExecutionRecord, type WorkflowRecord } from '@switchyard/model';
import type { Collection } from '../collection';
import type { StoreCollections } from '../collections';
import { above, atMost, isOneOf, where, type Filter } from '../filter';
import { collectionsOf, type TransferPart, type TravellingName } from './parts';

/** A record with the name of its collection. */
export interface ExportedRecord {
  readonly collection: string;
  readonly record: StoredRecord;
}

export type StoredRecord = { _id: string } & Record<string, unknown>;

/** Why a record is not in an archive. */
export type ReasonLeftOut = 'unfinished' | 'unreadable';

export interface ExportOptions {
  readonly collections: StoreCollections;
  readonly parts: readonly TransferPart[];
  /** Work that ended later is left out. */
  readonly endedBefore: Micros;
  readonly onLeftOut: (collection: string, id: string, reason: ReasonLeftOut) => void;
}

const PAGE = 200;
/** These are read together with their executions. */
const WITH_EXECUTIONS: readonly TravellingName[] = ['output', 'blobs', 'workflows', 'workflowJournal'];

/**
 * The records of some parts. The store may change meanwhile: each record is read once, as a whole. An execution is exported
 * if its whole tree ended before `endedBefore`, together with all records that belong to it. So no page can disagree with
 * another one about what has ended.
 */
export async function* exportRecords(options: ExportOptions): AsyncGenerator<ExportedRecord, void, undefined> {
  const { collections, parts, endedBefore, onLeftOut } = options;
  for (const name of collectionsOf(parts)) {
    if (WITH_EXECUTIONS.includes(name)) continue;
    if (name === 'executions') {
      yield* exportedExecutions(options);
      continue;
    }
    const from = anyCollection(collections[name]);
    const filter = name === 'audit' ? where<StoredRecord>('time', atMost(endedBefore)) : {};
    for await (const page of pages(from, filter))
      for (const record of page) {
        const reason = isUnreadable(record) ? 'unreadable' : isUnfinished(name, record) ? 'unfinished' : undefined;
        if (reason) onLeftOut(nameOf(from), record._id, reason);
        else yield { collection: nameOf(from), record };
      }
  }
}

const anyCollection = (collection: unknown) => collection as Collection<StoredRecord>;
const nameOf = (collection: { readonly model: { readonly collection: { readonly name: string } } }): string =>
  collection.model.collection.name;

/** All records in the order of their ids, so that those added meanwhile do not matter. */
async function* pages(from: Collection<StoredRecord>, filter: Filter<StoredRecord> = {}) {
  for (let after: string | undefined; ;) {
    const next = after === undefined ? {} : where<StoredRecord>('_id', above(after));
    const page = await from.list({ filter: { ...filter, ...next }, sort: { _id: 1 }, limit: PAGE, once: true });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?._id;
  }
}

/** Readers return only this for a damaged record. */
const isUnreadable = (record: StoredRecord): boolean =>
  typeof record['unreadable'] === 'string' && Object.keys(record).length === 2;

/** An event that no rules engine has finished would run its rules again. */
const isUnfinished = (name: TravellingName, record: StoredRecord): boolean =>
  name === 'triggerInstances' && !(record['due'] === undefined && /^processed/.test(String(record['status'])));

async function* exportedExecutions({ collections, endedBefore, onLeftOut }: ExportOptions) {
  const { executions, output, blobs, workflows, workflowJournal } = collections;
  for await (const page of pages(anyCollection(executions))) {
    const openRoots = await rootsThatRun(executions, page, endedBefore);
    const ended: StoredRecord[] = [];
    for (const record of page) {
      const isWhole = hasEnded(record, endedBefore) && !openRoots.has(String(record['root']));
      if (isWhole) ended.push(record);
      else onLeftOut(nameOf(executions), record._id, isUnreadable(record) ? 'unreadable' : 'unfinished');
    }
    for (const record of ended) yield { collection: nameOf(executions), record: withoutDuties(record) };
    const runs = await runsOf(workflows, ended);
    for (const run of runs) yield { collection: nameOf(workflows), record: run };
    const owners = blobsOf(ended, 'result_blob');
    for await (const step of belonging(workflowJournal, 'workflow', idsOf(runs))) {
      owners.push(...blobsOf([step], 'step_blob'));
      yield { collection: nameOf(workflowJournal), record: step };
    }
    for await (const record of belonging(blobs, 'owner', owners)) yield { collection: nameOf(blobs), record };
    for await (const record of belonging(output, 'execution_id', idsOf(ended)))
      yield { collection: nameOf(output), record };
  }
}

const idsOf = (records: readonly StoredRecord[]): string[] => records.map(({ _id }) => _id);

function hasEnded(record: StoredRecord, before: Micros): boolean {
  const { status, end_timestamp: end } = record as Partial<ExecutionRecord>;
  return status !== undefined && isStatus(status) && isTerminal(status) && end !== undefined && end <= before;
}

/** A root that was removed for its age has ended. */
async function rootsThatRun(
  executions: Collection<ExecutionRecord>,
  page: readonly StoredRecord[],
  before: Micros,
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(page.flatMap(({ root }) => (typeof root === 'string' ? [root] : [])))];
  if (ids.length === 0) return new Set();
  const roots = await executions.list({
    filter: { _id: isOneOf(ids) },
    fields: ['_id', 'status', 'end_timestamp'],
    once: true,
  });
  return new Set(roots.filter((root) => !hasEnded(root, before)).map(({ _id }) => _id));
}

/** Pending steps, such as a notification, remain with the system that ran the execution. */
function withoutDuties(record: StoredRecord): StoredRecord {
  const { due: _due, due_at: _at, slot: _slot, claim: _claim, process: _process, waits_on: _waits, ...rest } = record;
  return rest;
}

/** After a rerun of some tasks, a run belongs to another execution. */
async function runsOf(
  workflows: Collection<WorkflowRecord>,
  ended: readonly StoredRecord[],
): Promise<readonly StoredRecord[]> {
  const ids = ended.flatMap(({ context }) => {
    const run = (context as { workflow_execution?: unknown } | undefined)?.workflow_execution;
    return typeof run === 'string' ? [run] : [];
  });
  if (ids.length === 0) return [];
  const owners = new Set(idsOf(ended));
  const runs = await workflows.list({ filter: { _id: isOneOf(new Set(ids)) }, once: true });
  return runs.filter(({ execution }) => owners.has(execution)).map(({ open: _open, ...run }) => run);
}

const blobsOf = (records: readonly StoredRecord[], field: string): string[] =>
  records.flatMap((record) => (record[field] as { id?: string } | undefined)?.id ?? []);

async function* belonging(from: unknown, field: string, owners: readonly string[]) {
  if (owners.length === 0) return;
  yield* anyCollection(from).each({ filter: where<StoredRecord>(field, isOneOf(owners)), once: true });
}
