import { isPlainObject } from '@switchyard/base';
import { ABENDED, ACTIVE, afterCommand } from '../machines';
import type { RetryDelay, RetrySpec } from '../spec/model';
import type { RetryState } from '../state/documents';
import type { TaskEntry } from '../state/entries';
import type { Core } from './core';
import type { Evaluator, Surroundings } from './evaluator';
import { number, asWholeNumber, attempt, DefinitionProblem, isProblem, isTruthy } from './definition-values';

/** @throws DefinitionProblem, ExpressionError */
export function retryState(evaluator: Evaluator, task: string, rule: RetrySpec, around: Surroundings): RetryState {
  const evaluated = (value: unknown): unknown => evaluator.evaluate(value, around);
  const count = asWholeNumber(evaluated(rule.count));
  if (count === undefined)
    throw new DefinitionProblem('ValueError', `The retry count for task "${task}" is not an integer.`);
  const when = rule.when === undefined ? {} : { when: rule.when };
  return { ...when, count, tally: 0, ...delayOf(task, rule.delay, evaluated) };
}

function delayOf(
  task: string,
  delay: RetryDelay = 0,
  evaluated: (value: unknown) => unknown,
): Pick<RetryState, 'delay' | 'backoff'> {
  const problem = new DefinitionProblem('ValueError', `The retry delay for task "${task}" is not an integer.`);
  if (!isPlainObject(delay)) {
    const seconds = asWholeNumber(evaluated(delay));
    if (seconds === undefined) throw problem;
    return { delay: seconds };
  }
  const initial = number(evaluated(delay.initial));
  const factor = number(evaluated(delay.factor));
  const max = delay.max === undefined ? null : number(evaluated(delay.max));
  if (initial === undefined || factor === undefined || max === undefined) throw problem;
  return { delay: initial, backoff: { factor, max } };
}

const MILLISECONDS = 1_000;

/** Seconds to wait after `tally` retries; growing delays are truncated to milliseconds. */
export function delayBefore({ delay, backoff, tally }: RetryState): number {
  if (backoff === undefined) return delay;
  const grown = Math.min(delay * backoff.factor ** (tally - 1), backoff.max ?? Number.MAX_SAFE_INTEGER);
  return Math.round(grown * MILLISECONDS) / MILLISECONDS;
}

/** Whether an ended task is retried. */
export function isRetried(
  core: Core,
  entry: TaskEntry,
  around: Surroundings,
  isGoingOn = ACTIVE.has(core.status),
): boolean {
  const { retry } = entry;
  if (retry === undefined || !isGoingOn || entry.status === 'canceled' || retry.tally >= retry.count) return false;
  if (retry.when === undefined) return ABENDED.has(entry.status);
  const outcome = attempt(() => isTruthy(core.evaluator.evaluate(retry.when, around)));
  if (!isProblem(outcome)) return outcome.value;
  core.logError(outcome.problem, { task_id: entry.task, route: entry.route });
  core.fail();
  return false;
}

/** Stages an ended task again, on the same entry. */
export function retry(core: Core, entry: TaskEntry): void {
  core.state.entries.setStatus(entry, afterCommand(entry.status!, 'retry')!);
  const { task, route, round, phase, context, prev, undoes } = entry;
  const rule = { ...entry.retry!, tally: entry.retry!.tally + 1 };
  core.state.entries.patch(entry, { retry: rule });
  core.state.staging.add({
    ...{ task, route, round, phase, context, prev, retry: rule, ready: true, runOnFail: false, again: true },
    ...(undoes === undefined ? {} : { undoes }),
  });
}
