import { isPlainObject } from '@switchyard/base';

/**
 * The value at a path such as `result.tasks[0].id`, `$.a['b.c']` or `a.*.id` (a list of all matches). Also finds keys that
 * contain dots. Returns undefined if there is no value.
 */
export function valueAtPath(root: unknown, path: string): unknown {
  if (isPlainObject(root) && Object.hasOwn(root, path)) return root[path];
  return walk(root, stepsOf(path));
}

function stepsOf(path: string): string[] {
  const steps: string[] = [];
  const pattern = /\.?(?:\[(?:'([^']*)'|"([^"]*)"|(\d+|\*))\]|([^.[\]]+))/g;
  for (const [, single, double, index, name] of path.replace(/^\$\.?/, '').matchAll(pattern)) {
    steps.push(single ?? double ?? index ?? name ?? '');
  }
  return steps;
}

function walk(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (step === '*' && typeof value === 'object' && value !== null) {
    return Object.values(value).map((item) => walk(item, rest));
  }
  if (Array.isArray(value)) return walk(value[Number(step)], rest);
  return isPlainObject(value) && Object.hasOwn(value, step) ? walk(value[step], rest) : undefined;
}

/** The parts of a record at the given paths, with their nesting. Leaves out missing and null values. */
export function pick(record: unknown, paths: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const path of paths) {
    const value = valueAtPath(record, path);
    if (value !== undefined && value !== null) place(picked, record, path, value);
  }
  return picked;
}

function place(target: Record<string, unknown>, record: unknown, path: string, value: unknown): void {
  const literal = isPlainObject(record) && Object.hasOwn(record, path);
  const steps = literal ? [path] : stepsOf(path);
  const last = steps.pop() ?? path;
  let spot = target;
  for (const step of steps) {
    const inner = Object.hasOwn(spot, step) && isPlainObject(spot[step]) ? spot[step] : {};
    define(spot, step, inner);
    spot = inner;
  }
  define(spot, last, value);
}

/** Sets an own property, even if its name is `__proto__`. */
const define = (target: Record<string, unknown>, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
};
