import { slices } from '@switchyard/base';
import type { ExecutionRecord } from '@switchyard/model';
import type { Engine } from './engine';
import { applyNote } from './apply-note';
import { handOut, type Placement } from './hand-out';
import { mirror } from './mirror';
import type { Note } from './note';
import { place } from './place';
import { catchUp } from './restore';
import { outputOf } from './result';
import { LostRun, type Run } from './run';
import { passOn } from './wish';
import { wishesAmong, wishesMeanwhile } from './wishes';

/**
 * One turn of a run: it is told what has happened, decides, writes its decisions down, and only then acts.
 *
 * 1. A step of the journal is the compare-and-set: of two processes that know the same state, one goes on.
 * 2. What a step has decided on is requested under a key of its own, so that doing it again after a crash does nothing twice.
 * 3. Whoever sent the notes hears of the end of the turn, and takes his marks off then.
 */
export async function takeTurn(engine: Engine, run: Run, notes: readonly Note[]): Promise<void> {
  const wishes = [...(await wishesAmong(engine, run, notes))];
  for (const own of wishes) await applyNote(engine, run, { own });
  const others = notes.filter((note) => !('own' in note));
  await applyAll(engine, run, others);
  if (notes.some((note) => 'look' in note)) await applyAll(engine, run, await catchUp(engine, run));
  wishes.push(...(await decide(engine, run)));
  const wished = wishes.at(-1);
  if (wished && wished.revision > run.passedOn) {
    for await (const ended of passOn(engine, run, wished.status)) await learn(engine, run, ended);
    run.passedOn = wished.revision;
    await decide(engine, run);
  }
  await mirror(engine, run);
}

/** Has the run go on, step by step. @returns what was wished of it meanwhile, of which it has been told */
async function decide(engine: Engine, run: Run): Promise<ExecutionRecord[]> {
  const wishes: ExecutionRecord[] = [];
  for (let steps = 0, more = true; more; steps++) {
    for (const own of await wishesMeanwhile(engine, run, steps > 0)) {
      await applyNote(engine, run, { own });
      wishes.push(own);
    }
    const step = await handOut(engine, run);
    if (run.conductor.isCompleted) await outputOf(engine, run);
    await write(engine, run, step.placements);
    await place(step.placements);
    more = step.more;
  }
  return wishes;
}

/** Tells the run of actions that have ended by its own doing, and writes that down. */
async function learn(engine: Engine, run: Run, ended: readonly ExecutionRecord[]): Promise<void> {
  const notes = ended.map((child) => ({ child }));
  await applyAll(engine, run, notes);
  if (ended.length > 0) await write(engine, run, []);
}

async function applyAll(engine: Engine, run: Run, notes: readonly Note[]): Promise<void> {
  const slice = slices();
  for (const note of notes) {
    await applyNote(engine, run, note);
    await slice.next();
  }
}

async function write(engine: Engine, run: Run, placements: readonly Placement[]): Promise<void> {
  const changes = run.conductor.takeChanges();
  const { heard, history } = run;
  if (changes === undefined) {
    history.wish = heard;
    // What seems to be no news may be news to whoever has gone on with the run meanwhile.
    if (await engine.store.workflows.hasStep(run.record._id, history.revision + 1)) throw new LostRun(run.record._id);
    return;
  }
  const step = {
    changes,
    ...(placements.length > 0 ? { orders: placements.map(({ order }) => order) } : {}),
    ...(heard > history.wish ? { wish: heard } : {}),
  };
  const lines = run.progress.of(run, changes, placements);
  if (!(await engine.journal.append(run.record._id, history, step))) throw new LostRun(run.record._id);
  // Before the actions of the step are requested: readers learn of a request before they learn what it does.
  await run.progress.tell(run, lines);
}

/** Whether nothing can happen to a run any more. */
export const isOver = ({ conductor }: Run): boolean => conductor.isCompleted && !conductor.hasActiveTasks;
