import { MS_MICROS, SECOND_MICROS, type Id, type Micros } from '@switchyard/base';
import { isTerminal, TERMINAL_STATUSES } from '@switchyard/model';
import { isOneOf } from '@switchyard/storage';
import { createMailbox } from './mailbox';
import { abort, openRun, type OpenedRun } from './open-run';
import type { Engine, RunEvent, WorkflowRun } from './run';
import { isOver, takeTurn } from './take-turn';

/** The runs that this process owns, in memory or to be restored. */
export interface RunRegistry {
  /** Whether a run is in memory. */
  has(workflow: Id): boolean;
  /** The execution of a run in memory. */
  executionOf(workflow: Id): Id | undefined;
  /** Whether a run is taking a turn or about to. */
  isAtWork(workflow: Id): boolean;
  /** Closes runs that have ended, and drops them from memory. */
  letGo(workflows: readonly Id[]): Promise<void>;
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

/**
 * With this many events waiting for a run, further messages are set aside. Otherwise the ends of one long list would use up what the
 * broker delivers at a time, and keep those of other workflows waiting.
 */
const MOST_WAITING = 50;

export function createRunRegistry(engine: Engine): RunRegistry {
  const { clock, logger, metrics } = engine;
  const aside = new Set<Id>();
  const writes = new UnawaitedWrites();
  const runs = new RunCache((by) => metrics.shift('workflowengine.runs', by), writes);
  let requestsMore = true;
  const giveUp = (workflow: Id, reason: string) => abort(engine, workflow, reason);
  const mailbox = createMailbox({ clock, logger, takeTurn: work, onFailed: runs.drop, giveUp });

  async function work(workflow: Id, events: readonly RunEvent[]): Promise<void> {
    const cached = runs.get(workflow);
    const opened = cached ? { run: cached, from: 'memory' as const } : await openRun(engine, workflow, events);
    if (!opened) return;
    runs.keep(workflow, opened.run);
    const due = events.some((event) => 'due' in event) ? await readDue(engine, workflow, events) : undefined;
    const more = await takeTurnOf(engine, opened, due ? [...events, ...due.events] : events, writes);
    await due?.settle();
    if (isOver(opened.run) && isTerminal(opened.run.execution.status)) return letGo([workflow], !isAwaited(events));
    mailbox.wakeAt(workflow, nextAlarm(opened.run));
    // The next turn also gets the events that arrived meanwhile.
    if (more && requestsMore) mailbox.postOwn(workflow, { more: true });
    if (aside.delete(workflow) || due?.more) mailbox.postOwn(workflow, { due: true });
  }

  async function letGo(workflows: readonly Id[], isUnhurried = false): Promise<void> {
    if (isUnhurried) await Promise.all(workflows.map(engine.close));
    else if (workflows.length > 0) await engine.store.workflows.close(workflows);
    for (const workflow of workflows) {
      runs.drop(workflow);
      aside.delete(workflow);
      mailbox.wakeAt(workflow, undefined);
    }
  }

  return {
    has: runs.has,
    executionOf: (workflow) => runs.get(workflow)?.record.execution,
    isAtWork: mailbox.isAtWork,
    letGo,
    tell: mailbox.post,
    async tellDirectly(workflow, event) {
      if (!requestsMore) throw new Error(`the engine stops and leaves the workflow ${workflow} to another one`);
      await mailbox.post(workflow, event);
    },
    setsAside(workflow) {
      const isFull = mailbox.waiting(workflow) >= MOST_WAITING;
      if (isFull) aside.add(workflow);
      return isFull;
    },
    forget: runs.clear,
    requestNoMore: () => void (requestsMore = false),
    async stop() {
      requestsMore = false;
      await mailbox.stop();
      runs.clear();
      await writes.done();
    },
  };
}

/** Writes that no turn waits for. If they fail, nothing is lost but progress lines: the sweep sends another message for a mark. */
class UnawaitedWrites {
  readonly #writes = new Set<Promise<void>>();

  add(write: Promise<void>): void {
    const written = write.catch(() => undefined).finally(() => this.#writes.delete(written));
    this.#writes.add(written);
  }

  async done(): Promise<void> {
    await Promise.all(this.#writes);
  }
}

/** Whoever cancels a tree waits for the turns of its workflows, one level after the other. */
const isAwaited = (events: readonly RunEvent[]): boolean => events.some((event) => !('child' in event));

/** A restored run finds out what it has missed. The `due` mark of a new one is settled. @returns as `takeTurn` */
async function takeTurnOf(
  engine: Engine,
  { run, from }: OpenedRun,
  events: readonly RunEvent[],
  writes: UnawaitedWrites,
): Promise<boolean> {
  const before = run.execution;
  const more = await takeTurn(engine, run, from === 'journal' ? [{ look: true }, ...events] : events);
  // Until the first step was written, the `due` mark let another engine start the run instead.
  if (from === 'execution') writes.add(engine.settleAt(before));
  return more;
}

/** Executions that a run reads in a turn after messages were set aside. */
const DUE_AT_A_TIME = 200;

interface DueChildren {
  readonly events: readonly RunEvent[];
  /** Whether there may be others. */
  readonly more: boolean;
  /** Removes the engine from their `due`, once the run has processed them. */
  settle(): Promise<void>;
}

/** With one write. An embedded store writes them in one turn. */
const SETTLED_AT_A_TIME = 50;

/**
 * Executions of a run that have ended and are due for it, without those that it has just received. Inner workflows that
 * have not ended are due for their own runs.
 */
async function readDue(
  { executions: { records } }: Engine,
  workflow: Id,
  events: readonly RunEvent[],
): Promise<DueChildren> {
  const known = new Set(events.flatMap((event) => ('child' in event ? [event.child._id] : [])));
  const filter = { workflow_execution: workflow, due: 'workflow-engine', status: isOneOf(TERMINAL_STATUSES) } as const;
  const found = await records.list({ filter, limit: DUE_AT_A_TIME });
  const children = found.filter(({ _id }) => !known.has(_id));
  return {
    events: children.map((child) => ({ child })),
    more: found.length === DUE_AT_A_TIME,
    async settle() {
      for (let at = 0; at < children.length; at += SETTLED_AT_A_TIME)
        await records.settleEachAt(children.slice(at, at + SETTLED_AT_A_TIME), 'workflow-engine');
    },
  };
}

/** When the next timeout of the run is due. */
function nextAlarm({ conductor, history }: WorkflowRun): Micros | undefined {
  const times = [...history.timed].flatMap(({ command, at }) =>
    command.timeout === undefined ? [] : [at + command.timeout * SECOND_MICROS],
  );
  if (conductor.deadline !== undefined && !conductor.isCompleted) times.push(conductor.deadline * MS_MICROS);
  return times.length === 0 ? undefined : times.reduce((first, time) => Math.min(first, time));
}

/** The number of runs kept in memory; others are restored from their journals when an event arrives. */
const MOST_RUNS = 1000;

/** The runs in memory, least recently used first out. */
class RunCache {
  readonly #runs = new Map<Id, WorkflowRun>();

  /**
   * @param onChange called with the change of the number of runs
   * @param writes gets the progress lines of runs that are dropped
   */
  constructor(
    private readonly onChange: (by: number) => void,
    private readonly writes: UnawaitedWrites,
  ) {}

  has = (workflow: Id): boolean => this.#runs.has(workflow);
  get = (workflow: Id): WorkflowRun | undefined => this.#runs.get(workflow);

  keep(workflow: Id, run: WorkflowRun): void {
    const isNew = !this.#runs.delete(workflow);
    this.#runs.set(workflow, run);
    if (isNew) this.onChange(1);
    if (this.#runs.size > MOST_RUNS) this.drop(this.#runs.keys().next().value as Id);
  }

  drop = (workflow: Id): void => {
    const run = this.#runs.get(workflow);
    if (!run) return;
    this.#runs.delete(workflow);
    this.onChange(-1);
    this.writes.add(run.progress.finish());
  };

  clear = (): void => {
    for (const workflow of [...this.#runs.keys()]) this.drop(workflow);
  };
}
