import { messageOf, MS_MICROS, SECOND_MICROS, SECOND_MS, type Id, type Micros } from '@switchyard/base';
import { isTerminal } from '@switchyard/model';
import { isUnreachable } from '@switchyard/storage';
import { dueChildren, NONE_DUE, settleDue } from './due-children';
import { createMailbox } from './mailbox';
import { restore } from './restore';
import { type Engine, LostRun, type RunEvent, type WorkflowRun } from './run';
import { isOver, takeTurn } from './take-turn';
import { takeUp } from './take-up';

/** The runs that this process owns, in memory or to be restored. */
export interface RunRegistry {
  /** Whether a run is in memory. */
  has(workflow: Id): boolean;
  /** Resolves when the run has processed the event. */
  tell(workflow: Id, event: RunEvent): Promise<void>;
  /** The same for an event without a message; rejects once the engine stops. */
  tellDirectly(workflow: Id, event: RunEvent): Promise<void>;
  /**
   * Whether so many events of a run wait that the message of a further end is better acknowledged. The execution stays due, and the run
   * reads it from the store after the events that wait.
   */
  setsAside(workflow: Id): boolean;
  /** Drops all runs from memory: other processes may have taken them over. */
  forget(): void;
  /** Leaves what is not requested yet to the next engine, because this one is about to stop. */
  requestNoMore(): void;
  stop(): Promise<void>;
}

/** A failed turn is retried after this time. */
const AGAIN_MS = SECOND_MS;
/** After this many failures in a row, not counting those of the store, the run ends as failed. */
const MOST_FAILURES = 10;

/**
 * With this many events waiting for a run, further messages are set aside. Otherwise the ends of one long list would use up what the
 * broker delivers at a time, and keep those of other workflows waiting.
 */
const MOST_WAITING = 50;
export function createRunRegistry(engine: Engine): RunRegistry {
  const { clock, logger, metrics } = engine;
  const runs = new RunCache((by) => metrics.shift('workflowengine.runs', by));
  const failures = new FailedTurns();
  const aside = new Set<Id>();
  let requestsMore = true;
  const mailbox = createMailbox<RunEvent>(async (workflow, events) => {
    try {
      await work(workflow, events);
      failures.forget(workflow);
    } catch (error) {
      runs.drop(workflow);
      if (!(error instanceof LostRun)) await onFailure(workflow, error);
      // Messages are redelivered, but nothing else would submit commands that are journaled and not yet requested.
      else if (events.some((event) => 'look' in event || 'more' in event))
        alarms.after(workflow, AGAIN_MS, { look: true });
      throw error;
    }
  });
  const post = (workflow: Id, event: RunEvent) => void mailbox.post(workflow, event).catch(() => undefined);
  const alarms = new Alarms(clock, post);

  async function work(workflow: Id, events: readonly RunEvent[]): Promise<void> {
    const opened = openCached(runs.get(workflow)) ?? (await openRun(engine, workflow, events));
    if (!opened) return;
    runs.keep(workflow, opened.run);
    const due = events.some((event) => 'due' in event) ? await dueChildren(engine, workflow, events) : NONE_DUE;
    const more = await takeTurnOf(engine, opened, [...events, ...due.children.map((child) => ({ child }))]);
    await settleDue(engine, due.children);
    if (isOver(opened.run) && isTerminal(opened.run.execution.status)) return letGo(workflow);
    alarms.at(workflow, nextAlarm(opened.run));
    // The next turn also gets the events that arrived meanwhile.
    if (more && requestsMore) post(workflow, { more: true });
    if (aside.delete(workflow) || due.more) post(workflow, { due: true });
  }

  async function letGo(workflow: Id): Promise<void> {
    await engine.close(workflow);
    runs.drop(workflow);
    aside.delete(workflow);
    alarms.cancel(workflow);
  }

  async function onFailure(workflow: Id, error: unknown): Promise<void> {
    logger.warn('A step of a workflow failed; retrying.', { workflow, error: messageOf(error) });
    if (failures.add(workflow, error) < MOST_FAILURES) return alarms.after(workflow, AGAIN_MS, { look: true });
    failures.forget(workflow);
    await abort(engine, workflow, messageOf(error));
  }

  return {
    has: runs.has,
    tell: (workflow, event) => mailbox.post(workflow, event),
    async tellDirectly(workflow, event) {
      if (!requestsMore) throw new Error(`the engine stops and leaves the workflow ${workflow} to another one`);
      await mailbox.post(workflow, event);
    },
    setsAside(workflow) {
      const isFull = mailbox.waiting(workflow) >= MOST_WAITING;
      if (isFull) aside.add(workflow);
      return isFull;
    },
    forget: () => void runs.clear(),
    requestNoMore: () => void (requestsMore = false),
    async stop() {
      requestsMore = false;
      alarms.stop();
      await mailbox.idle();
      await Promise.all(runs.clear().map(({ progress }) => progress.finish()));
    },
  };
}

/** A new execution has no steps yet. One that reruns tasks opens its run itself. */
const isNew = (events: readonly RunEvent[]): boolean =>
  events.every((event) => 'own' in event && event.own.status === 'scheduled');

/** A run for a turn, and where it comes from. */
interface OpenedRun {
  readonly run: WorkflowRun;
  readonly from: 'memory' | 'journal' | 'execution';
}

const openCached = (run: WorkflowRun | undefined): OpenedRun | undefined => run && { run, from: 'memory' };

/** Restores a run from its journal, or begins the run of an execution. */
async function openRun(engine: Engine, workflow: Id, events: readonly RunEvent[]): Promise<OpenedRun | undefined> {
  const known = events.flatMap(({ run }) => run ?? []).at(-1);
  const record = isNew(events) ? undefined : (known ?? (await engine.store.workflows.get(workflow)));
  const own = events.flatMap((event) => ('own' in event ? [event.own] : [])).at(-1);
  const restored = record?.open ? await restore(engine, record, known && own) : undefined;
  if (restored) return { run: restored, from: 'journal' };
  const begun = own && (await takeUp(engine, own, record?.open === true));
  return begun && { run: begun, from: 'execution' };
}

/** A restored run finds out what it has missed. The `due` mark of a new one is settled. @returns as `takeTurn` */
async function takeTurnOf(engine: Engine, { run, from }: OpenedRun, events: readonly RunEvent[]): Promise<boolean> {
  const before = run.execution;
  const more = await takeTurn(engine, run, from === 'journal' ? [{ look: true }, ...events] : events);
  // Until the first step was written, the `due` mark let another engine start the run instead.
  if (from === 'execution') await engine.executions.records.settleAt(before, 'workflow-engine');
  return more;
}

/** When the next timeout of the run is due. */
function nextAlarm({ conductor, history }: WorkflowRun): Micros | undefined {
  const times = [...history.timed].flatMap(({ command, at }) =>
    command.timeout === undefined ? [] : [at + command.timeout * SECOND_MICROS],
  );
  if (conductor.deadline !== undefined && !conductor.isCompleted) times.push(conductor.deadline * MS_MICROS);
  return times.length === 0 ? undefined : times.reduce((first, time) => Math.min(first, time));
}

/** Ends a run that cannot continue. */
async function abort(engine: Engine, workflow: Id, reason: string): Promise<void> {
  const { store, executions, logger } = engine;
  const record = await store.workflows.get(workflow);
  const execution = record && (await executions.records.get(record.execution));
  if (!record || !execution) return;
  logger.error('A workflow cannot continue; ending it.', { workflow, execution_id: execution._id, error: reason });
  const { pool: _, ...subject } = execution;
  const stored = await executions.results.store(execution, {
    output: null,
    errors: [{ type: 'error', message: reason }],
  });
  const ended = await executions.transition(subject, 'failed', { from: [execution.status], ...stored });
  if (!ended) await executions.results.discard(stored);
  await engine.close(workflow);
}

/** Counts the failed turns of each run since its last successful one. A failure of the store starts the count again. */
class FailedTurns {
  readonly #counts = new Map<Id, number>();

  /** @returns the count */
  add(workflow: Id, error: unknown): number {
    const count = isUnreachable(error) ? 0 : (this.#counts.get(workflow) ?? 0) + 1;
    this.#counts.set(workflow, count);
    return count;
  }

  forget(workflow: Id): void {
    this.#counts.delete(workflow);
  }
}

/** Wakes runs at a time: at most one alarm for each run. */
class Alarms {
  readonly #cancels = new Map<Id, () => void>();
  #stopped = false;

  constructor(
    private readonly clock: Pick<Engine['clock'], 'after' | 'nowMicros'>,
    private readonly ring: (workflow: Id, event: RunEvent) => void,
  ) {}

  /** @param at undefined: no alarm */
  at(workflow: Id, at: Micros | undefined): void {
    if (at === undefined) this.cancel(workflow);
    else this.after(workflow, Math.max(0, (at - this.clock.nowMicros()) / MS_MICROS), { alarm: true });
  }

  after(workflow: Id, delayMs: number, event: RunEvent): void {
    this.cancel(workflow);
    if (this.#stopped) return;
    const ring = () => {
      this.#cancels.delete(workflow);
      this.ring(workflow, event);
    };
    this.#cancels.set(workflow, this.clock.after(delayMs, ring));
  }

  cancel(workflow: Id): void {
    this.#cancels.get(workflow)?.();
    this.#cancels.delete(workflow);
  }

  stop(): void {
    this.#stopped = true;
    for (const workflow of [...this.#cancels.keys()]) this.cancel(workflow);
  }
}

/** The number of runs kept in memory; others are restored from their journals when an event arrives. */
const MOST_RUNS = 1000;

/** The runs in memory, least recently used first out. */
class RunCache {
  readonly #runs = new Map<Id, WorkflowRun>();

  /** @param onChange called with the change of the number of runs */
  constructor(private readonly onChange: (by: number) => void) {}

  has = (workflow: Id): boolean => this.#runs.has(workflow);
  get = (workflow: Id): WorkflowRun | undefined => this.#runs.get(workflow);

  keep(workflow: Id, run: WorkflowRun): void {
    const before = this.#runs.size;
    this.#runs.delete(workflow);
    if (this.#runs.size >= MOST_RUNS) this.#runs.delete(this.#runs.keys().next().value as Id);
    this.#runs.set(workflow, run);
    if (this.#runs.size !== before) this.onChange(this.#runs.size - before);
  }

  drop(workflow: Id): void {
    if (this.#runs.delete(workflow)) this.onChange(-1);
  }

  /** Removes all runs. @returns the runs removed */
  clear(): WorkflowRun[] {
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    if (runs.length > 0) this.onChange(-runs.length);
    return runs;
  }
}
