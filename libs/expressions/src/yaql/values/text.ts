import { isNumber } from '../../jinja/values/number';
import { numberText, repr as quoted } from '../../jinja/values/text';
import { budget, recursionExceeded } from '../run/budget';
import { yaqlDictEntries, isYaqlDict } from './dict';
import { PlainList, SetValue, View } from './collections';

const DEEPEST = 500;

/**
 * Prints values as Python does. Inside an expression (`str`, messages) plain lists print as tuples and sets by their
 * type; a final result has been converted to lists first.
 */
export class ValuePrinter {
  constructor(private readonly isResult: boolean) {}

  /** Python's `str`: a text is printed as is. */
  text(value: unknown): string {
    return typeof value === 'string' ? value : this.repr(value, 0);
  }

  /** Python's `repr`: the form inside a list. */
  repr(value: unknown, depth: number): string {
    budget().spend(1);
    if (depth > DEEPEST) throw recursionExceeded();
    if (typeof value === 'string') return this.grown(quoted(value));
    if (value === null || value === undefined) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    if (isNumber(value)) return numberText(value);
    if (isYaqlDict(value)) return `{${this.entries(yaqlDictEntries(value), depth)}}`;
    if (Array.isArray(value)) return this.list(value, depth);
    return this.other(value, depth);
  }

  private list(value: readonly unknown[], depth: number): string {
    const inner = this.items(value, depth);
    if (this.isResult || value instanceof PlainList) return `[${inner}]`;
    return value.length === 1 ? `(${inner},)` : `(${inner})`;
  }

  private other(value: unknown, depth: number): string {
    if (value instanceof SetValue) return this.set(value, depth);
    if (value instanceof View) return this.view(value, depth);
    if (Symbol.iterator in (value as object)) {
      return this.isResult ? `[${this.items(value as Iterable<unknown>, depth)}]` : '<generator object>';
    }
    return String(value);
  }

  private set(value: Iterable<unknown>, depth: number): string {
    const inner = this.items(value, depth);
    if (this.isResult) return inner === '' ? 'set()' : `{${inner}}`;
    return inner === '' ? 'frozenset()' : `frozenset({${inner}})`;
  }

  private view(value: View, depth: number): string {
    if (this.isResult) return value.kind === 'values' ? `[${this.items(value, depth)}]` : this.set(value, depth);
    const name = { keys: 'KeysView', values: 'ValuesView', items: 'ItemsView' }[value.kind];
    return `${name}(${this.repr(value.dict, depth + 1)})`;
  }

  private items(items: Iterable<unknown>, depth: number): string {
    const parts: string[] = [];
    for (const item of items) parts.push(this.repr(item, depth + 1));
    return this.grown(parts.join(', '));
  }

  private entries(entries: Iterable<readonly [unknown, unknown]>, depth: number): string {
    const parts: string[] = [];
    for (const [key, item] of entries) parts.push(`${this.repr(key, depth + 1)}: ${this.repr(item, depth + 1)}`);
    return this.grown(parts.join(', '));
  }

  private grown(text: string): string {
    budget().text(text.length);
    return text;
  }
}

/** For values inside an expression. */
export const inner = new ValuePrinter(false);
/** For results of expressions. */
export const outer = new ValuePrinter(true);

/** YAQL's function `str`. */
export function stringOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return typeof value === 'boolean' ? String(value) : inner.text(value);
}
