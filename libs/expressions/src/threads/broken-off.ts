import { messageOf } from '@switchyard/base';
import { ExpressionError } from '../evaluate/scope';
import { Budget as JinjaBudget } from '../jinja/run/budget';
import { JinjaError } from '../jinja/values/jinja-error';
import type { Evaluation } from '../turns/evaluation';
import { expressionError } from '../yaql/expression-error';
import { Budget as YaqlBudget, DEFAULT_YAQL_LIMITS, memoryExceeded } from '../yaql/run/budget';

/** What an evaluation may take, and how it fails that takes longer. */
export interface TimeBudget {
  readonly mostMs: number;
  readonly overtime: () => Error;
}

export function budgetOf(evaluation: Evaluation): TimeBudget {
  const { language, source } = evaluation;
  if (language === 'yaql') {
    const budget = new YaqlBudget({ ...DEFAULT_YAQL_LIMITS, ...evaluation.limits });
    return { mostMs: budget.mostMs, overtime: () => expressionError(budget.overtime(), source) };
  }
  const budget = new JinjaBudget(language === 'template' ? evaluation.options.limits : undefined);
  return { mostMs: budget.mostMs, overtime: () => budget.overtime() };
}

/** The failure of an evaluation that asks the host again and again. */
export const askedTooOften = (most: number): Error =>
  new ExpressionError('ExpressionEvaluationException', `More than ${most} values are read by one evaluation.`, '');

/** The failure of an evaluation whose thread has ended by itself: that is for want of memory, as far as is known. */
export function threadDied({ language, source }: Evaluation, reason: unknown): Error {
  if ((reason as NodeJS.ErrnoException | undefined)?.code !== 'ERR_WORKER_OUT_OF_MEMORY')
    return new Error(`The thread of an expression has ended: ${messageOf(reason)}`, { cause: reason });
  if (language === 'yaql') return expressionError(memoryExceeded(reason), source);
  return new JinjaError('BudgetError', 'The template needs more memory than it may take.', { cause: reason });
}
