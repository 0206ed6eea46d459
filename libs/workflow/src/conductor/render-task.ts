import { isPlainObject } from '@switchyard/base';
import { Allowance } from '@switchyard/expressions';
import type { TaskSpec } from '../spec/model';
import type { ItemSet } from '../state/items';
import type { Entry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import type { Surroundings } from './evaluator';
import { frozenItems, itemValue } from './items';
import { PER_ITEM } from './limits';
import { number, wholeNumber } from './numbers';
import { typeProblem } from './problem';
import { delayBefore } from './retry';
import { surroundingsOf } from './surroundings';

export interface HandOutAction {
  /** Null: the task has none and is to be reported as succeeded. */
  readonly action: string | null;
  readonly input: Readonly<Record<string, unknown>> | null;
  /** Position in the list of a with-items task. */
  readonly item?: number;
  /** Seconds to wait before this action. */
  readonly delay?: number;
}

/** One task to run, or more items of one that runs. */
export interface HandOut {
  readonly task: string;
  readonly route: number;
  /** To be given back with its events. */
  readonly round: number;
  readonly attempt: number;
  readonly actions: readonly HandOutAction[];
  /** Seconds; for a with-items task see the actions. */
  readonly delay?: number;
  /** Seconds that an attempt may take. */
  readonly timeout?: number;
  /** Of a with-items task; 0 means that it is to be reported as running and succeeded without any action. */
  readonly itemsCount?: number;
  readonly concurrency?: number;
}

/**
 * @returns undefined when there is nothing to start at present
 * @throws DefinitionProblem, ExpressionError
 */
export const renderTask = (core: Core, run: Staged | Entry): HandOut | undefined =>
  new Allowance(core.limits.expressions).run(() => rendered(core, run));

function rendered(core: Core, run: Staged | Entry): HandOut | undefined {
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

function itemActions(core: Core, spec: TaskSpec, set: ItemSet, { around, delay }: ItemBasis): HandOutAction[] {
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

function renderAction(core: Core, task: TaskSpec, around: Surroundings): HandOutAction {
  const { renderer, evaluator } = core;
  const { action, input } = task;
  const name = action === undefined ? null : renderer.action(action, around, evaluator);
  const values = input === undefined ? null : renderer.input(task, around, evaluator);
  if (name !== null && typeof name !== 'string') throw typeProblem(`The value of "${action}" is not type of string.`);
  if (values === null || isPlainObject(values)) return { action: name, input: values };
  throw typeProblem(`The value of "${typeof input === 'string' ? input : 'input'}" is not type of dict.`);
}

/** After the first attempt the delay of the retry rule stands in for the task's own. */
function delayOf(core: Core, { delay }: TaskSpec, { retry }: Staged | Entry, around: Surroundings): number | undefined {
  if (retry !== undefined && retry.tally > 0) return delayBefore(retry);
  if (delay === undefined) return undefined;
  const seconds = wholeNumber(core.evaluator.evaluate(delay, around));
  if (seconds === undefined) throw typeProblem('The value of task delay is not type of integer.');
  return seconds;
}

function timeoutOf(core: Core, { timeout }: TaskSpec, around: Surroundings): { timeout?: number } {
  if (timeout === undefined) return {};
  const seconds = number(core.evaluator.evaluate(timeout, around));
  if (seconds === undefined) throw typeProblem('The value of task timeout is not type of number.');
  return { timeout: seconds };
}
