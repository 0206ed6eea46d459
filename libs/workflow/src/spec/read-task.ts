import { isPlainObject } from '@switchyard/base';
import type { ItemsSpec, RetryBackoff, RetryDelay, RetrySpec, TaskSpec } from './model';
import { readTransition } from './read-transition';
import { inlineAction } from './shorthand/inline-action';
import { itemsText } from './shorthand/items-text';

/** One task of a raw definition; see `readWorkflow` for what has the wrong shape. */
export function readTask(name: string, raw: Readonly<Record<string, unknown>>): TaskSpec {
  const { delay, join, timeout, rollback, next } = raw;
  const items = readItems(raw.with);
  const retry = readRetry(raw.retry);
  return {
    name,
    ...readAction(raw.action, raw.input),
    ...(isAmount(delay) && { delay }),
    // Of the wrong shape it still says that tasks meet here.
    ...(join !== undefined && join !== null && { join: typeof join === 'number' ? join : 'all' }),
    ...(items && { with: items }),
    ...(retry && { retry }),
    ...(isAmount(timeout) && { timeout }),
    ...(typeof rollback === 'string' && { rollback }),
    next: Array.isArray(next) ? next.map(readTransition) : [],
  };
}

/** Inline pairs take the place of an explicit input. */
function readAction(action: unknown, input: unknown): Pick<TaskSpec, 'action' | 'input'> {
  const explicit = typeof input === 'string' || isPlainObject(input) ? { input } : {};
  if (typeof action !== 'string') return explicit;
  const { action: reference, input: pairs } = inlineAction(action);
  if (!pairs) return { action: reference, ...explicit };
  return { action: reference, input: Object.fromEntries(pairs.map(({ name, value }) => [name, value])) };
}

function readItems(given: unknown): ItemsSpec | undefined {
  const { items, concurrency } = isPlainObject(given) ? given : { items: given, concurrency: null };
  if (typeof items !== 'string') return undefined;
  return { ...itemsText(items), concurrency: isAmount(concurrency) ? concurrency : null };
}

function readRetry(given: unknown): RetrySpec | undefined {
  if (!isPlainObject(given)) return undefined;
  const { count, when } = given;
  const delay = readDelay(given.delay);
  return {
    count: isAmount(count) ? count : 0,
    ...(delay !== undefined && { delay }),
    ...(typeof when === 'string' && { when }),
  };
}

function readDelay(given: unknown): RetryDelay | undefined {
  if (isAmount(given)) return given;
  if (!isPlainObject(given)) return undefined;
  const { initial, factor, max } = given;
  const growth: RetryBackoff = { initial: isAmount(initial) ? initial : 0, factor: isAmount(factor) ? factor : 1 };
  return isAmount(max) ? { ...growth, max } : growth;
}

const isAmount = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';
