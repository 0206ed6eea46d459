import { ENGINE_COMMANDS, type ContextAssignment } from '../spec/model';
import type { GraphTask, Transition } from '../graph';
import type { TaskEntry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import type { Surroundings } from './evaluator';
import { attempt, isProblem, type Attempt, isTruthy } from './definition-values';
import { settleJoins } from './joins';
import { arrive } from './stage';

export interface Command {
  readonly task: string;
  readonly route: number;
}

/** The outcome of a transition, shared by all its destinations. */
interface Outcome {
  readonly holds: Attempt<boolean>;
  /** The context it passes on, or the problems of its values; absent if its condition is false. */
  readonly context?: { readonly index: number } | { readonly problems: readonly string[] };
}

/**
 * Tries all transitions of an ended task, stages their destinations and records them on the entry.
 * @returns the engine commands reached, in order
 */
export function fireTransitions(core: Core, entry: TaskEntry, basis: Basis): Command[] {
  const { next } = core.graph.tasks.get(entry.task)!;
  if (next.length > 0) return new Firing(core, entry, basis).run(next);
  settleJoins(core);
  core.state.entries.patch(entry, {
    terminal: true,
    ...(basis.context === entry.context ? {} : { leaf: basis.context }),
  });
  return [];
}

/** What the expressions of the transitions see, and the context that published values extend. */
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
    private readonly entry: TaskEntry,
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
      when === undefined ? { value: true } : attempt(() => isTruthy(this.core.evaluator.evaluate(when, around)));
    const fires = !isProblem(isTrue) && isTrue.value;
    const context = fires ? publish(this.core, arrow.publish, this.basis) : undefined;
    const outcome = { holds: isTrue, ...(context === undefined ? {} : { context }) };
    this.outcomes.set(arrow.ref, outcome);
    return outcome;
  }

  /** A canceled action has no result of its own, so expressions about it may fail. That must not fail the workflow. */
  private report({ id }: Transition, problems: readonly string[]): void {
    const { task, route, status } = this.entry;
    if (status === 'canceled') return;
    for (const problem of problems) this.core.logError(problem, { task_id: task, route, task_transition_id: id });
    this.core.fail();
  }

  /** Tasks reached together with `fail` still run. */
  private keepRunnable(): void {
    for (const staged of this.reached.filter(({ ready }) => ready))
      this.core.state.staging.patch(staged, { runOnFail: true });
  }
}

const isCommand = (task: string): boolean => (ENGINE_COMMANDS as readonly string[]).includes(task);

/**
 * Renders what a transition publishes; each value sees those before it, except in a chain.
 * @returns the index of the new context, or all problems
 */
function publish(
  core: Core,
  assignments: readonly ContextAssignment[],
  { around, context }: Basis,
): { index: number } | { problems: string[] } {
  if (assignments.length === 0) return { index: context };
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const { name, value } of assignments) {
    const variables = core.spec.dialect === 'chain' ? around.variables : { ...around.variables, ...values };
    const outcome = attempt(() => core.renderer.value(value, { ...around, variables }, core.evaluator));
    if (isProblem(outcome)) problems.push(outcome.problem);
    else values[name] = outcome.value;
  }
  problems.push(...tooMuch(core, values));
  return problems.length > 0 ? { problems } : { index: core.state.contexts.publish(context, values) };
}

function tooMuch(core: Core, values: Readonly<Record<string, unknown>>): string[] {
  const most = core.limits.publishedBytes;
  const size = JSON.stringify(values).length;
  core.state.count('publishedBytes', size);
  if (core.state.head.made.publishedBytes <= most) return [];
  return [`LimitExceeded: The workflow has published more than ${most} bytes.`];
}
