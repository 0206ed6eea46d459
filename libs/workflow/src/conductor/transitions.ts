import { ENGINE_COMMANDS } from '../spec/model';
import type { GraphTask, Transition } from '../graph';
import type { Entry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import type { Surroundings } from './evaluator';
import { attempt, isProblem, type Attempt } from './problem';
import { publish } from './publish';
import { settleJoins } from './settle-joins';
import { arrive } from './stage';
import { holds } from './truth';

export interface Command {
  readonly task: string;
  readonly route: number;
}

/** What came of one transition; it is shared by all its destinations. */
interface Outcome {
  readonly holds: Attempt<boolean>;
  /** The context it hands on, or what was wrong with its values; absent when it does not hold. */
  readonly context?: { readonly index: number } | { readonly problems: readonly string[] };
}

/**
 * Tries all transitions of a task that has ended, stages what they lead to and records them on the entry.
 * @returns the engine commands that were reached, in order
 */
export function fireTransitions(core: Core, entry: Entry, basis: Basis): Command[] {
  const { next } = core.graph.tasks.get(entry.task)!;
  if (next.length > 0) return new Firing(core, entry, basis).run(next);
  settleJoins(core);
  core.state.entries.patch(entry, {
    terminal: true,
    ...(basis.context === entry.context ? {} : { leaf: basis.context }),
  });
  return [];
}

/** What the expressions of the transitions see, and the context that published values are put on. */
export interface Basis {
  readonly around: Surroundings;
  readonly context: number;
}

class Firing {
  private readonly outcomes = new Map<number, Outcome>();
  private readonly next: Record<string, boolean> = {};
  private readonly out: Record<string, number> = {};
  private readonly reached: Staged[] = [];
  private readonly commands: Command[] = [];

  constructor(
    private readonly core: Core,
    private readonly entry: Entry,
    private readonly basis: Basis,
  ) {}

  run(arrows: GraphTask['next']): Command[] {
    for (const arrow of arrows) this.fire(arrow);
    this.core.state.entries.patch(this.entry, { next: this.next, out: this.out });
    settleJoins(this.core);
    if (this.commands.some(({ task }) => task === 'fail')) this.keepRunnable();
    return this.commands;
  }

  private fire(arrow: Transition): void {
    const outcome = this.outcomeOf(arrow);
    if (isProblem(outcome.holds)) return this.report(arrow, [outcome.holds.problem]);
    this.next[arrow.id] = outcome.holds.value;
    if (outcome.context === undefined) return;
    if ('problems' in outcome.context) return this.report(arrow, outcome.context.problems);
    this.out[arrow.id] = outcome.context.index;
    const staged = arrive(this.core, arrow, this.entry, outcome.context.index);
    if (staged === undefined) return;
    if (isCommand(arrow.to)) this.commands.push({ task: staged.task, route: staged.route });
    else this.reached.push(staged);
  }

  private outcomeOf(arrow: Transition): Outcome {
    const known = this.outcomes.get(arrow.ref);
    if (known !== undefined) return known;
    const { when } = arrow;
    const { around } = this.basis;
    const isTrue: Attempt<boolean> =
      when === undefined ? { value: true } : attempt(() => holds(this.core.evaluator.evaluate(when, around)));
    const fires = !isProblem(isTrue) && isTrue.value;
    const context = fires ? publish(this.core, arrow.publish, this.basis) : undefined;
    const outcome = { holds: isTrue, ...(context === undefined ? {} : { context }) };
    this.outcomes.set(arrow.ref, outcome);
    return outcome;
  }

  private report({ id }: Transition, problems: readonly string[]): void {
    const { task, route } = this.entry;
    for (const problem of problems) this.core.logError(problem, { task_id: task, route, task_transition_id: id });
    this.core.fail();
  }

  /** What is reached together with `fail` runs all the same. */
  private keepRunnable(): void {
    for (const staged of this.reached.filter(({ ready }) => ready))
      this.core.state.staging.patch(staged, { runOnFail: true });
  }
}

const isCommand = (task: string): boolean => (ENGINE_COMMANDS as readonly string[]).includes(task);
