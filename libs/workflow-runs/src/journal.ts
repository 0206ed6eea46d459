import { createHash } from 'node:crypto';
import { type Clock, type Id, KIB, type Micros, slices, type Slices } from '@switchyard/base';
import type { WorkflowJournalRecord } from '@switchyard/model';
import type { Sealer, Store } from '@switchyard/storage';
import type { Changes, EntryDocument, HeadDocument, Snapshot, StateDocument } from '@switchyard/workflow';

/** Steps up to this size are stored in their records, larger ones as blobs. */
const INLINE_BYTES = 256 * KIB;

/** Writes and reads the steps of runs. They contain values of users, so they are encrypted. */
export interface WorkflowJournal {
  /** @returns false when another process has written a step with this number: the state in memory is stale */
  append(workflow: Id, history: History, step: JournalStep): Promise<boolean>;
  /** @returns undefined when the run does not exist or has no step yet */
  read(workflow: Id, slice?: Slices): Promise<History | undefined>;
}

export interface JournalDeps {
  store: Pick<Store, 'workflows' | 'blobs'>;
  sealer: Sealer;
  clock: Clock;
}

export function createWorkflowJournal({ store, sealer, clock }: JournalDeps): WorkflowJournal {
  const sealedStep = async ({ step, step_blob: first, _id }: WorkflowJournalRecord): Promise<string | undefined> => {
    for (let blob = first, before: string | undefined; blob && blob.id !== before;) {
      const sealed = await store.blobs.get(blob);
      if (sealed !== undefined) return sealed;
      before = blob.id;
      // A rotation of keys may have replaced the blob since the record was read.
      blob = (await store.workflows.step(_id))?.step_blob;
    }
    return step;
  };
  const open = async (record: WorkflowJournalRecord): Promise<JournalStep> => {
    const sealed = await sealedStep(record);
    if (sealed === undefined) throw new Error(`the step ${record._id} of a workflow is not complete`);
    return fromStored(JSON.parse(sealer.open(sealed)) as StoredStep);
  };
  return {
    async append(workflow, history, step) {
      const revision = history.revision + 1;
      const at = clock.nowMicros();
      const sealed = sealer.seal(JSON.stringify(toStored(step)));
      const blob = sealed.length > INLINE_BYTES ? await store.blobs.put(sealed) : undefined;
      const record = { _id: `${workflow}:${revision}`, workflow, revision, at };
      const isFirst = await store.workflows.append({ ...record, ...(blob ? { step_blob: blob } : { step: sealed }) });
      if (isFirst) history.add(step, at);
      else if (blob) await store.blobs.remove(blob);
      return isFirst;
    },
    async read(workflow, slice = slices()) {
      const records = await store.workflows.journal(workflow);
      if (records.length === 0) return undefined;
      const history = new History();
      for (const record of records) {
        history.add(await open(record), record.at);
        await slice.next();
      }
      return history;
    },
  };
}

/** A step as stored. These names are part of the stored format and do not follow renames in the code. */
interface StoredStep extends Pick<JournalStep, 'changes'> {
  readonly orders?: readonly ActionCommand[];
  readonly wish?: number;
}

const toStored = ({ changes, commands, controlRevision }: JournalStep): StoredStep => ({
  changes,
  ...(commands && { orders: commands }),
  ...(controlRevision !== undefined && { wish: controlRevision }),
});

const fromStored = ({ changes, orders, wish }: StoredStep): JournalStep => ({
  changes,
  ...(orders && { commands: orders }),
  ...(wish !== undefined && { controlRevision: wish }),
});

/** The decision of a run to run an action, written to the journal before it is submitted. */
export interface ActionCommand extends ActionOfTask {
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Number of items of a with-items task. */
  readonly itemsCount?: number;
  /** Delay in seconds. */
  readonly delay?: number;
  /** Timeout in seconds. */
  readonly timeout?: number;
}

/** A command, and when it was recorded. */
interface RecordedCommand {
  readonly command: ActionCommand;
  readonly at: Micros;
}

/** One step of a run, as the journal records it. */
export interface JournalStep {
  readonly changes: Changes;
  readonly commands?: readonly ActionCommand[];
  /** Revision of the run's own execution with the last control request (pause, resume, cancel) that was passed on. */
  readonly controlRevision?: number;
}

/** Start and end of one run of a task. */
export interface EntryTimes {
  readonly entry: EntryDocument;
  readonly start: Micros;
  readonly end?: Micros;
}

const ENDED: ReadonlySet<string | null> = new Set(['succeeded', 'failed', 'timeout', 'abandoned', 'canceled']);

/** The state of a run: all its steps replayed. */
export class History {
  revision = 0;
  /** Revision of the execution with the last control request that was passed on. */
  controlRevision = 0;
  head: HeadDocument | undefined;
  readonly times = new Map<string, EntryTimes>();
  /** Texts that expressions have decrypted; empty for a run that is in memory anyway. */
  readonly decrypted = new Set<string>();
  /** Whether each step says what was decrypted. Those of version 0.1.0 do not. */
  knowsDecrypted = true;
  readonly #documents = new Map<string, StateDocument>();
  readonly #commands = new Map<string, RecordedCommand>();
  readonly #timed = new Map<string, RecordedCommand>();

  /** @param keepsDocuments false for a run that is in memory anyway */
  constructor(private keepsDocuments = true) {}

  add({ changes, commands = [], controlRevision }: JournalStep, at: Micros): void {
    this.revision += 1;
    this.head = changes.head;
    if (controlRevision !== undefined) this.controlRevision = controlRevision;
    for (const document of changes.put) {
      if (this.keepsDocuments) this.#documents.set(document.key, document);
      if (document.kind === 'entry') this.recordTime(document, at);
    }
    for (const key of changes.removed) this.#documents.delete(key);
    this.knowsDecrypted &&= changes.secrets !== undefined;
    if (this.keepsDocuments) for (const text of changes.secrets ?? []) this.decrypted.add(text);
    for (const command of commands) this.recordCommand(command, at);
  }

  /** Passes the state to the caller, and drops it here. */
  takeSnapshot(): Snapshot | undefined {
    if (!this.head) return undefined;
    const snapshot = { head: this.head, documents: [...this.#documents.values()] };
    this.keepsDocuments = false;
    this.#documents.clear();
    return snapshot;
  }

  /** The command of an active action. */
  command(action: ActionOfTask): RecordedCommand | undefined {
    return this.#commands.get(keyOf(action));
  }

  /** The commands of active actions; of all, right after the journal was read. */
  get commands(): IterableIterator<RecordedCommand> {
    return this.#commands.values();
  }

  /** Drops the command of an action that has ended. */
  forget(action: ActionOfTask): void {
    this.#commands.delete(keyOf(action));
    this.#timed.delete(keyOf(action));
  }

  /** Commands with a timeout. */
  get timed(): IterableIterator<RecordedCommand> {
    return this.#timed.values();
  }

  private recordCommand(command: ActionCommand, at: Micros): void {
    this.#commands.set(keyOf(command), { command, at });
    if (command.timeout !== undefined) this.#timed.set(keyOf(command), { command, at });
  }

  private recordTime(entry: EntryDocument, at: Micros): void {
    const known = this.times.get(entry.key);
    const end = known?.end ?? (ENDED.has(entry.status) ? at : undefined);
    this.times.set(entry.key, { entry, start: known?.start ?? at, ...(end === undefined ? {} : { end }) });
  }
}

const keyOf = ({ task, route, round, attempt, item }: ActionOfTask): string =>
  `${route}:${round}:${attempt}:${item ?? ''}:${task}`;

/** One action of a workflow: an attempt of a task, or of an item of it. */
export interface ActionOfTask {
  readonly task: string;
  readonly route: number;
  readonly round: number;
  readonly attempt: number;
  readonly item?: number;
}

const idFrom = (text: string): Id => createHash('sha256').update(text).digest('hex').slice(0, 24);

/** The id of the run that an execution starts. It is the same for every process and every attempt. */
export const workflowIdOf = (execution: Id): Id => idFrom(`workflow:${execution}`);

/** The id of one run of a task, all attempts and items. */
export const taskIdOf = (workflow: Id, { task, route, round }: Omit<ActionOfTask, 'attempt'>): Id =>
  idFrom(`${workflow}:${task}:${route}:${round}`);

/** The request key that keeps an action from being requested twice. */
export const requestKeyOf = (workflow: Id, { task, route, round, attempt, item }: ActionOfTask): string =>
  [workflow, route, round, attempt, item ?? '', task].join(':');

/** Reads a request key back. @returns undefined for other keys */
export function actionOfKey(key: string): ActionOfTask | undefined {
  const [, route, round, attempt, item, task] = /^[0-9a-f]{24}:(\d+):(\d+):(\d+):(\d*):(.+)$/s.exec(key) ?? [];
  if (task === undefined) return undefined;
  const numbers = { route: Number(route), round: Number(round), attempt: Number(attempt) };
  return { task, ...numbers, ...(item === '' ? {} : { item: Number(item) }) };
}
