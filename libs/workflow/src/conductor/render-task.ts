import { isPlainObject } from '@switchyard/base';
import { Allowance } from '@switchyard/expressions';
import type { TaskSpec, ItemsSpec } from '../spec/model';
import type { ItemSet } from '../state/items';
import type { TaskEntry } from '../state/entries';
import type { Staged } from '../state/staging';
import { type Core, PER_ITEM } from './core';
import type { Surroundings } from './evaluator';
import { number, asWholeNumber, typeProblem, DefinitionProblem } from './definition-values';
import { delayBefore } from './retry';

export interface DispatchedAction {
  /** Null: the task has no action and is to be reported as succeeded. */
  readonly action: string | null;
  readonly input: Readonly<Record<string, unknown>> | null;
  /** Index in the list of a with-items task. */
  readonly item?: number;
  /** Seconds to wait before this action. */
  readonly delay?: number;
}

/** A task to run, or more items of a running one. */
export interface TaskDispatch {
  readonly task: string;
  readonly route: number;
  /** To be passed back with its events. */
  readonly round: number;
  readonly attempt: number;
  readonly actions: readonly DispatchedAction[];
  /** Seconds; for a with-items task see the actions. */
  readonly delay?: number;
  /** Seconds that an attempt may take. */
  readonly timeout?: number;
  /** For a with-items task; 0: report it as running and then succeeded, without any action. */
  readonly itemsCount?: number;
  readonly concurrency?: number;
}

/** @returns undefined when there is nothing to start now @throws DefinitionProblem, ExpressionError */
export const renderTask = (core: Core, run: Staged | TaskEntry): TaskDispatch | undefined =>
  new Allowance(core.limits.expressions).run(() => rendered(core, run));

function rendered(core: Core, run: Staged | TaskEntry): TaskDispatch | undefined {
  const spec = core.spec.tasks.get(run.task)!;
  const around = surroundingsOf(core, run);
  const delay = delayOf(core, spec, run, around);
  const head = {
    ...{ task: run.task, route: run.route, round: run.round, attempt: run.retry?.tally ?? 0 },
    ...(delay === undefined ? {} : { delay }),
    ...timeoutOf(core, spec, around),
  };
  if (spec.with === undefined) {
    return { ...head, actions: [{ ...renderAction(core, spec, around), ...(delay === undefined ? {} : { delay }) }] };
  }
  const set = frozenItems(core, run, spec.with, around);
  const actions = itemActions(core, spec, set, { around, delay });
  const { concurrency } = set.document;
  if (actions.length === 0 && set.size > 0) return undefined;
  return { ...head, actions, itemsCount: set.size, ...(concurrency === null ? {} : { concurrency }) };
}

interface ItemBasis {
  readonly around: Surroundings;
  readonly delay: number | undefined;
}

function itemActions(core: Core, spec: TaskSpec, set: ItemSet, { around, delay }: ItemBasis): DispatchedAction[] {
  const { values, concurrency } = set.document;
  const room = concurrency === null ? set.size : Math.max(concurrency - set.counts.active, 0);
  const { expressions, itemsAtOnce = Number.POSITIVE_INFINITY } = core.limits;
  const pending = set.pending(Math.min(room, itemsAtOnce));
  const { steps, durationMs } = expressions;
  const allowance = new Allowance({
    steps: steps + pending.length * PER_ITEM.steps,
    durationMs: durationMs + pending.length * PER_ITEM.durationMs,
  });
  return allowance.run(() =>
    pending.map((item) => {
      const value = itemValue(spec.with!.names, values[item]);
      const isDelayed = delay !== undefined && (concurrency === null || item < concurrency);
      return { ...renderAction(core, spec, { ...around, item: value }), item, ...(isDelayed ? { delay } : {}) };
    }),
  );
}

function renderAction(core: Core, task: TaskSpec, around: Surroundings): DispatchedAction {
  const { renderer, evaluator } = core;
  const { action, input } = task;
  const name = action === undefined ? null : renderer.action(action, around, evaluator);
  const values = input === undefined ? null : renderer.input(task, around, evaluator);
  if (name !== null && typeof name !== 'string') throw typeProblem(`The value of "${action}" is not type of string.`);
  if (values === null || isPlainObject(values)) return { action: name, input: values };
  throw typeProblem(`The value of "${typeof input === 'string' ? input : 'input'}" is not type of dict.`);
}

/** After the first attempt, the delay of the retry rule replaces the task's own. */
function delayOf(
  core: Core,
  { delay }: TaskSpec,
  { retry }: Staged | TaskEntry,
  around: Surroundings,
): number | undefined {
  if (retry !== undefined && retry.tally > 0) return delayBefore(retry);
  if (delay === undefined) return undefined;
  const seconds = asWholeNumber(core.evaluator.evaluate(delay, around));
  if (seconds === undefined) throw typeProblem('The value of task delay is not type of integer.');
  return seconds;
}

function timeoutOf(core: Core, { timeout }: TaskSpec, around: Surroundings): { timeout?: number } {
  if (timeout === undefined) return {};
  const seconds = number(core.evaluator.evaluate(timeout, around));
  if (seconds === undefined) throw typeProblem('The value of task timeout is not type of number.');
  return { timeout: seconds };
}

/** The list of a with-items task, evaluated when the task is first dispatched and fixed from then on (I8). */
function frozenItems(core: Core, run: Staged | TaskEntry, spec: ItemsSpec, around: Surroundings): ItemSet {
  const known = core.state.items.of(run.items);
  if (known !== undefined) return known;
  const values = core.evaluator.evaluate(spec.items, around);
  if (!Array.isArray(values)) throw typeProblem(`The value of "${spec.items}" is not type of list.`);
  if (core.state.head.made.items + values.length > core.limits.items) {
    throw new DefinitionProblem('LimitExceeded', `The workflow has more than ${core.limits.items} items.`);
  }
  const set = core.state.addItems(values, concurrencyOf(core, spec, around));
  core.state.staging.patch(run as Staged, { items: set.document.index });
  return set;
}

function concurrencyOf(core: Core, { concurrency }: ItemsSpec, around: Surroundings): number | null {
  const value = concurrency === null ? null : core.evaluator.evaluate(concurrency, around);
  if (value === null) return null;
  const count = asWholeNumber(value);
  if (count === undefined) throw typeProblem('The value of task concurrency is not type of integer.');
  return Math.max(count, 1);
}

/** The value of `item()`: the item, or its parts by name if names were given. */
function itemValue(names: readonly string[], value: unknown): unknown {
  const [first] = names;
  if (first === undefined) return value;
  if (names.length === 1) return { [first]: value };
  if (!Array.isArray(value)) return value;
  return Object.fromEntries(names.slice(0, value.length).map((name, at) => [name, value[at] as unknown]));
}

/** What the expressions of a task see before it runs. A rollback sees the task that it undoes as the current one. */
function surroundingsOf(core: Core, run: Staged | TaskEntry): Surroundings {
  const { state } = core;
  const undone = run.undoes === undefined ? undefined : state.entries.all[run.undoes];
  const { task, route } = undone ?? run;
  const status = (undone ?? state.entries.latestOf(task, route))?.status ?? 'null';
  const result = undone === undefined ? {} : { result: undone.result };
  return { variables: core.variablesOf(run), currentTask: { id: task, route, status, ...result } };
}
