import { jinjaDictEntries, dictSet, isJinjaDict } from '../values/collections';
import { JinjaError } from '../values/jinja-error';
import { intArgument } from '../values/plain';
import { iterate } from '../values/sequence';
import type { Callable } from './run';
import { Scope } from './scope';
import { repr } from '../values/text';

/** Jinja2's built-in functions. */
export const GLOBALS: Readonly<Record<string, Callable>> = {
  range,
  dict: (args, named) => fill(new Map<unknown, unknown>(), args, named),
  namespace: (args, named) => {
    const result = new Namespace();
    for (const [name, value] of fill(new Map<unknown, unknown>(), args, named)) result.set(String(name), value);
    return result;
  },
  cycler: (items) => new Cycler(items),
  joiner: ([separator = ', ']) => {
    let used = false;
    return () => (used ? separator : ((used = true), ''));
  },
};

/** A scope with the built-in and the given functions. */
export function globalScope(functions: Readonly<Record<string, unknown>> = {}): Scope {
  const scope = new Scope();
  for (const [name, value] of Object.entries({ ...GLOBALS, ...functions })) scope.set(name, value);
  return scope;
}

const LARGEST_RANGE = 100_000;

function range(args: readonly unknown[]): number[] {
  const [first = 0, second, third] = args.map((each) => intArgument(each, 'range'));
  const [start, stop] = second === undefined ? [0, first] : [first, second];
  const step = third ?? 1;
  if (step === 0) throw new JinjaError('ValueError', 'range() arg 3 must not be zero');
  const length = Math.max(0, Math.ceil((stop - start) / step));
  if (length > LARGEST_RANGE) {
    const text = `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${LARGEST_RANGE}).`;
    throw new JinjaError('OverflowError', text);
  }
  return Array.from({ length }, (_, index) => start + index * step);
}

function fill(dict: Map<unknown, unknown>, args: readonly unknown[], named: Readonly<Record<string, unknown>>) {
  const [source] = args;
  if (isJinjaDict(source)) for (const [key, value] of jinjaDictEntries(source)) dictSet(dict, key, value);
  else if (source !== undefined) for (const [key, value] of iterate(source).map(pair)) dictSet(dict, key, value);
  for (const [key, value] of Object.entries(named)) dict.set(key, value);
  return dict;
}

function pair(item: unknown): readonly unknown[] {
  const items = iterate(item);
  if (items.length === 2) return items;
  throw new JinjaError('ValueError', `dictionary update sequence element has length ${items.length}; 2 is required`);
}

/** `cycler('odd', 'even')` */
class Cycler {
  private at = 0;

  constructor(private readonly items: readonly unknown[]) {
    if (items.length === 0) throw new JinjaError('TypeError', 'at least one item has to be provided');
  }

  attribute(name: string): unknown {
    if (name === 'current') return this.items[this.at];
    if (name === 'next') return () => this.next();
    return name === 'reset' ? () => this.reset() : undefined;
  }

  private next(): unknown {
    const value = this.items[this.at];
    this.at = (this.at + 1) % this.items.length;
    return value;
  }

  private reset(): null {
    this.at = 0;
    return null;
  }
}

/** `namespace(a=1)`: the only object whose fields a template can set, so that loops can keep a value. */
export class Namespace {
  private readonly fields = new Map<string, unknown>();

  attribute(name: string): unknown {
    return this.fields.get(name);
  }

  set(name: string, value: unknown): void {
    this.fields.set(name, value);
  }

  text(): string {
    return `<Namespace ${repr(this.fields)}>`;
  }
}
