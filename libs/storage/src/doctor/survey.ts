import { isStatus, isTerminal } from '@switchyard/model';
import { findingOf, type ExaminedDocument } from './examine-record';
import type { DoctorFinding } from './finding';
import type { RawRecord } from './raw-records';

/** Related records of one collection. */
interface Group {
  readonly keys: string[];
  bytes: number;
  /** Sequence numbers of the records within the group. */
  readonly numbers: Set<unknown>;
}

interface Pointer {
  readonly parts: unknown;
  /** The record that refers to a blob. */
  readonly collection: string;
  readonly record: RawRecord;
}

/** The order of the survey: collections come before those that refer to them. */
export const SURVEYED = [
  'definitions',
  'workflows',
  'executions',
  'workflow_journal',
  'blobs',
  'execution_output',
] as const;

/** Checks the references between records. Expects each record once, in the order of `SURVEYED`. */
export class Survey {
  readonly #definitions = new Set<string>();
  readonly #runs = new Map<string, { record: RawRecord; execution: unknown }>();
  readonly #executions = new Set<string>();
  readonly #parents: { record: RawRecord; parent: string }[] = [];
  readonly #pointers = new Map<string, Pointer>();
  readonly #journals = new Map<string, Group>();
  readonly #blobs = new Map<string, Group>();
  readonly #lostOutput = new Map<string, Group>();

  /** @param document undefined for an unreadable record @returns findings that do not depend on other records */
  tell(collection: string, record: RawRecord, document: ExaminedDocument | undefined): readonly DoctorFinding[] {
    const { id } = record;
    if (collection === 'definitions') this.#definitions.add(id);
    if (collection === 'workflows') this.#runs.set(id, { record, execution: document?.['execution'] });
    if (collection === 'executions') return this.#execution(record, document);
    if (collection === 'workflow_journal') this.#step(record, document);
    if (collection === 'blobs' && document) add(this.#blobs, String(document['owner']), record, document['part']);
    if (collection === 'execution_output' && document && !this.#executions.has(String(document['execution_id'])))
      add(this.#lostOutput, String(document['execution_id']), record, document['sequence']);
    return [];
  }

  /** Findings that require the complete survey. */
  *conclusions(): Generator<DoctorFinding, void, undefined> {
    for (const { record, parent } of this.#parents)
      if (!this.#executions.has(parent))
        yield findingOf('executions', record, {
          ...{ problem: 'no-parent', remedy: 'detach' },
          detail: `its parent ${parent} does not exist`,
        });
    const broken = new Map(this.#brokenJournals());
    yield* this.#blobFindings(broken);
    yield* this.#runFindings(broken);
    for (const [id, group] of this.#lostOutput) yield lost('execution_output', id, group, 'output of an execution');
  }

  #execution(record: RawRecord, document: ExaminedDocument | undefined): readonly DoctorFinding[] {
    this.#executions.add(record.id);
    if (!document) return [];
    const { parent, definition, context, result_blob: blob, action_is_workflow: isWorkflow } = document;
    const status = String(document['status']);
    const ended = isStatus(status) && isTerminal(status);
    if (typeof parent === 'string') this.#parents.push({ record, parent });
    this.#point('executions', record, blob);
    const run = (context as ExaminedDocument | undefined)?.['workflow_execution'];
    if (!ended && isWorkflow === true && typeof run === 'string' && !this.#runs.has(run))
      return [
        findingOf('executions', record, {
          problem: 'no-workflow',
          remedy: 'end',
          detail: `its workflow ${run} is gone`,
        }),
      ];
    if (typeof definition === 'string' && this.#definitions.has(definition)) return [];
    const detail = `its definition ${String(definition)} does not exist`;
    return [findingOf('executions', record, { problem: 'no-definition', remedy: ended ? 'stand-in' : 'end', detail })];
  }

  #step(record: RawRecord, document: ExaminedDocument | undefined): void {
    const [workflow = '', revision] = record.id.split(':');
    add(this.#journals, workflow, record, document ? Number(revision) : undefined);
    this.#point('workflow_journal', record, document?.['step_blob']);
  }

  #point(collection: string, record: RawRecord, pointer: unknown): void {
    const { id, parts } = (pointer ?? {}) as { id?: unknown; parts?: unknown };
    if (typeof id === 'string') this.#pointers.set(id, { parts, collection, record });
  }

  *#brokenJournals(): Generator<[string, string], void, undefined> {
    for (const [workflow, { keys, numbers }] of this.#journals)
      for (let revision = 1; revision <= keys.length; revision++)
        if (!numbers.has(revision)) {
          yield [workflow, `step ${revision} of the workflow is lost`];
          break;
        }
  }

  *#blobFindings(broken: Map<string, string>): Generator<DoctorFinding, void, undefined> {
    for (const [id, { parts, collection, record }] of this.#pointers) {
      if (this.#blobs.get(id)?.keys.length === parts) continue;
      if (collection === 'workflow_journal') broken.set(record.id.split(':')[0] ?? '', 'a part of a step is lost');
      else
        yield findingOf(collection, record, {
          ...{ problem: 'bad-result', remedy: 'note' },
          detail: 'a part of its result is missing',
        });
    }
    for (const [id, group] of this.#blobs)
      if (!this.#pointers.has(id)) yield lost('blobs', id, group, 'a large value of a record');
  }

  *#runFindings(broken: ReadonlyMap<string, string>): Generator<DoctorFinding, void, undefined> {
    for (const [id, { record, execution }] of this.#runs) {
      const reason =
        broken.get(id) ??
        (typeof execution === 'string' && !this.#executions.has(execution)
          ? `its execution ${execution} does not exist`
          : undefined);
      if (reason !== undefined)
        yield findingOf('workflows', record, { problem: 'no-workflow', remedy: 'remove', detail: reason });
    }
    for (const [id, group] of this.#journals) {
      const reason = broken.get(id);
      if (reason !== undefined)
        yield { ...lost('workflow_journal', id, group, ''), problem: 'no-workflow', detail: reason };
      else if (!this.#runs.has(id)) yield lost('workflow_journal', id, group, 'steps of a workflow');
    }
  }
}

function add(groups: Map<string, Group>, id: string, { key, bytes }: RawRecord, number: unknown): void {
  const group = groups.get(id) ?? { keys: [], bytes: 0, numbers: new Set() };
  groups.set(id, group);
  if (key !== undefined) group.keys.push(key);
  group.bytes += bytes.length;
  if (number !== undefined) group.numbers.add(number);
}

const lost = (collection: string, id: string, { keys, bytes }: Group, what: string): DoctorFinding => ({
  ...{ problem: 'no-owner', remedy: 'remove', collection, id, keys, bytes },
  detail: `${what} that does not exist, ${keys.length} records`,
});
