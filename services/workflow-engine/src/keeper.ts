import { messageOf, MS_MICROS, SECOND_MICROS, SECOND_MS, type Id, type Micros } from '@switchyard/base';
import { isTerminal } from '@switchyard/model';
import { isUnreachable } from '@switchyard/storage';
import { RunsAtHand } from './at-hand';
import { createDesk } from './desk';
import type { Engine } from './engine';
import type { Note } from './note';
import { restore } from './restore';
import { LostRun, type Run } from './run';
import { isOver, takeTurn } from './take-turn';
import { takeUp } from './take-up';

/** The runs that this process works on. */
export interface Keeper {
  /** Whether a run is at hand here. */
  has(workflow: Id): boolean;
  /** Resolves when the run has had its turn with the note. */
  tell(workflow: Id, note: Note): Promise<void>;
  /** Lets go of everything: others may have gone on with it. */
  forget(): void;
  stop(): Promise<void>;
}

/** A run whose turn has failed has another one after this time. */
const AGAIN_MS = SECOND_MS;
/** So many failures in a row are not the store's, and the run is ended. */
const MOST_FAILURES = 10;

export function createKeeper(engine: Engine): Keeper {
  const { clock, logger, metrics, store } = engine;
  const runs = new RunsAtHand((by) => metrics.shift('workflowengine.runs', by));
  const alarms = new Map<Id, () => void>();
  const failures = new Map<Id, number>();
  let stopped = false;
  const desk = createDesk<Note>(async (workflow, notes) => {
    try {
      await work(workflow, notes);
      failures.delete(workflow);
    } catch (error) {
      runs.drop(workflow);
      if (!(error instanceof LostRun)) await onFailure(workflow, error);
      // Messages come again, but nobody else would look at what was decided on and not requested.
      else if (notes.some((note) => 'look' in note) && !stopped) later(workflow, AGAIN_MS, { look: true });
      throw error;
    }
  });

  async function work(workflow: Id, notes: readonly Note[]): Promise<void> {
    const atHand = runs.get(workflow);
    const restored = atHand || isNew(notes) ? undefined : await open(workflow);
    const begun = (atHand ?? restored) ? undefined : await beginBy(notes);
    const run = atHand ?? restored ?? begun;
    if (!run) return;
    runs.keep(workflow, run);
    const before = run.execution;
    await takeTurn(engine, run, restored ? [{ look: true }, ...notes] : notes);
    // Until its first step was written, a mark told whoever would have taken it up in our place.
    if (begun) await store.executions.settleAt(before, 'workflow-engine');
    if (isOver(run) && isTerminal(run.execution.status)) await letGo(workflow);
    else setAlarm(workflow, nextAlarm(run));
  }

  async function open(workflow: Id): Promise<Run | undefined> {
    const record = await store.workflows.get(workflow);
    return record?.open && restore(engine, record);
  }

  async function beginBy(notes: readonly Note[]): Promise<Run | undefined> {
    const own = notes.flatMap((note) => ('own' in note ? [note.own] : [])).at(-1);
    return own && takeUp(engine, own);
  }

  async function letGo(workflow: Id): Promise<void> {
    await store.workflows.close(workflow);
    runs.drop(workflow);
    setAlarm(workflow, undefined);
  }

  function setAlarm(workflow: Id, at: Micros | undefined): void {
    alarms.get(workflow)?.();
    alarms.delete(workflow);
    if (at === undefined || stopped) return;
    later(workflow, Math.max(0, (at - clock.nowMicros()) / MS_MICROS), { alarm: true });
  }

  function later(workflow: Id, delayMs: number, note: Note): void {
    alarms.get(workflow)?.();
    const cancel = clock.after(delayMs, () => {
      alarms.delete(workflow);
      desk.post(workflow, note).catch(() => undefined);
    });
    alarms.set(workflow, cancel);
  }

  async function onFailure(workflow: Id, error: unknown): Promise<void> {
    logger.warn('A step of a workflow failed; it is tried again.', { workflow, error: messageOf(error) });
    const count = isUnreachable(error) ? 0 : (failures.get(workflow) ?? 0) + 1;
    failures.set(workflow, count);
    if (count < MOST_FAILURES) return stopped ? undefined : later(workflow, AGAIN_MS, { look: true });
    failures.delete(workflow);
    await abort(engine, workflow, messageOf(error));
  }

  return {
    has: runs.has,
    tell: (workflow, note) => desk.post(workflow, note),
    forget: () => void runs.clear(),
    async stop() {
      stopped = true;
      for (const cancel of alarms.values()) cancel();
      alarms.clear();
      await desk.idle();
      await Promise.all(runs.clear().map(({ progress }) => progress.finish()));
    },
  };
}

/** An execution that is about to begin has no steps yet; one that reruns tasks opens its run by itself. */
const isNew = (notes: readonly Note[]): boolean =>
  notes.every((note) => 'own' in note && note.own.status === 'scheduled');

/** When the run has to be looked at even if nothing happens. */
function nextAlarm({ conductor, history }: Run): Micros | undefined {
  const times = [...history.timed].flatMap(({ order, at }) =>
    order.timeout === undefined ? [] : [at + order.timeout * SECOND_MICROS],
  );
  if (conductor.deadline !== undefined && !conductor.isCompleted) times.push(conductor.deadline * MS_MICROS);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Ends a run that cannot go on, whatever the reason is. */
async function abort(engine: Engine, workflow: Id, reason: string): Promise<void> {
  const { store, executions, logger } = engine;
  const record = await store.workflows.get(workflow);
  const execution = record && (await store.executions.get(record.execution));
  if (!record || !execution) return;
  logger.error('A workflow cannot go on and is ended.', { workflow, execution_id: execution._id, error: reason });
  const { pool: _, ...subject } = execution;
  const stored = await executions.results.store(execution, {
    output: null,
    errors: [{ type: 'error', message: reason }],
  });
  const ended = await executions.transition(subject, 'failed', { from: [execution.status], ...stored });
  if (!ended) await executions.results.discard(stored);
  await store.workflows.close(workflow);
}
