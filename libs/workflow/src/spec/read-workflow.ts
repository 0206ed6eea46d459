import { isPlainObject } from '@switchyard/base';
import { syntaxViolations } from '../syntax/definition-syntax';
import { DefinitionError } from './definition-error';
import type {
  WorkflowSpec,
  ContextAssignment,
  InputSpec,
  TaskSpec,
  ItemsSpec,
  RetryBackoff,
  RetryDelay,
  RetrySpec,
  TransitionSpec,
} from './model';
import { rawDefinition, type DefinitionSource } from './source';
import { inlineAction, inlinePairs } from './shorthand/inline-pairs';
import { itemsText } from './shorthand/items-text';

/**
 * Reads a definition of valid structure and expands its short forms. `inspectWorkflow` finds problems beyond the
 * structure, such as an unknown task in `do`.
 * @throws DefinitionError with the first violation
 */
export function parseWorkflow(source: DefinitionSource): WorkflowSpec {
  const definition = rawDefinition(source);
  const [violation] = syntaxViolations(definition);
  if (violation) {
    const { message, path, cause } = violation;
    throw new DefinitionError(message, definition.text?.positionOf(cause === undefined ? path : [...path, cause]));
  }
  return readWorkflow(definition.raw);
}

/**
 * Reads a raw definition. Parts of the wrong type are omitted or read as well as possible, so that inspection can check
 * the rest; list items keep their index. A definition without syntax findings is read completely.
 */
export function readWorkflow(raw: Readonly<Record<string, unknown>>): WorkflowSpec {
  const { name, description, tags, input, vars, tasks, output, timeout } = raw;
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    ...((typeof timeout === 'string' || typeof timeout === 'number') && { timeout }),
    tags: textsOf(tags),
    input: readInputs(input),
    vars: assignments(vars),
    tasks: readTasks(tasks),
    output: assignments(output),
    finally: textsOf(raw.finally),
  };
}

function readTasks(tasks: unknown): ReadonlyMap<string, TaskSpec> {
  const entries = isPlainObject(tasks) ? Object.entries(tasks) : [];
  return new Map(entries.map(([name, task]) => [name, readTask(name, isPlainObject(task) ? task : {})]));
}

const readInputs = (given: unknown): readonly InputSpec[] =>
  Array.isArray(given)
    ? given.map((item: unknown) => (typeof item === 'string' ? { name: item } : defaulted(assignment(item))))
    : assignments(given).map(defaulted);

const defaulted = ({ value, ...named }: ContextAssignment): InputSpec => ({ ...named, default: value });

/** Reads one task of a raw definition; see `readWorkflow` for invalid parts. */
function readTask(name: string, raw: Readonly<Record<string, unknown>>): TaskSpec {
  const { delay, join, timeout, rollback, next } = raw;
  const items = readItems(raw.with);
  const retry = readRetry(raw.retry);
  return {
    name,
    ...readAction(raw.action, raw.input),
    ...(isAmount(delay) && { delay }),
    // Even an invalid value means that tasks join here.
    ...(join !== undefined && join !== null && { join: typeof join === 'number' ? join : 'all' }),
    ...(items && { with: items }),
    ...(retry && { retry }),
    ...(isAmount(timeout) && { timeout }),
    ...(typeof rollback === 'string' && { rollback }),
    next: Array.isArray(next) ? next.map(readTransition) : [],
  };
}

/** Inline pairs replace an explicit input. */
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
  return { text: items, ...itemsText(items), concurrency: isAmount(concurrency) ? concurrency : null };
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

/** Reads one item of a task's `next`. */
function readTransition(given: unknown): TransitionSpec {
  const { when, publish, do: targets } = isPlainObject(given) ? given : {};
  return {
    ...(typeof when === 'string' && { when }),
    publish: readPublish(publish),
    do: readTargets(targets),
  };
}

const readPublish = (given: unknown): readonly ContextAssignment[] =>
  typeof given === 'string' ? inlinePairs(given).pairs : assignments(given);

/** Blanks around a name are dropped in the text form only. */
function readTargets(given: unknown): readonly string[] {
  const names =
    typeof given === 'string' && given !== '' ? given.split(',').map((name) => name.trim()) : textsOf(given);
  return names.length > 0 ? names : ['continue'];
}

/**
 * Reads a list of single-key maps item by item; an invalid item has an empty name. A map instead of the list is read as
 * one item per pair.
 */
function assignments(given: unknown): readonly ContextAssignment[] {
  if (Array.isArray(given)) return given.map(assignment);
  return isPlainObject(given) ? pairsOf(given) : [];
}

function assignment(item: unknown): ContextAssignment {
  const [first, ...more] = isPlainObject(item) ? pairsOf(item) : [];
  if (first === undefined) return { name: '', value: item };
  return more.length === 0 ? first : { ...first, more };
}

const pairsOf = (map: Readonly<Record<string, unknown>>): ContextAssignment[] =>
  Object.entries(map).map(([name, value]) => ({ name, value }));

const textsOf = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
