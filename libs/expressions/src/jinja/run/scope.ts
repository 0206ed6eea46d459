import { isPlainObject } from '@switchyard/base';
import { isJinjaList } from '../values/collections';
import { charge } from './budget';

/** The visible names: a loop body, a macro or a `with` block sees its own and those around it. */
export class Scope {
  private readonly names = new Map<string, unknown>();

  constructor(private readonly outer?: Scope) {}

  has(name: string): boolean {
    return this.names.has(name) || (this.outer?.has(name) ?? false);
  }

  get(name: string): unknown {
    return this.names.has(name) ? this.names.get(name) : this.outer?.get(name);
  }

  set(name: string, value: unknown): void {
    this.names.set(name, value);
  }
}

/** The outermost scope: the caller's context, read on demand and never written. */
export class ContextScope extends Scope {
  private readonly copies = new Map<string, unknown>();

  /** @param copied whether to hand out copies, for templates that change lists and dictionaries */
  constructor(
    private readonly context: Readonly<Record<string, unknown>>,
    private readonly copied: boolean,
    outer: Scope,
  ) {
    super(outer);
  }

  override has(name: string): boolean {
    return Object.hasOwn(this.context, name) || super.has(name);
  }

  override get(name: string): unknown {
    if (!Object.hasOwn(this.context, name)) return super.get(name);
    const value = this.context[name];
    if (!this.copied || value === null || typeof value !== 'object') return value;
    const copy = this.copies.get(name) ?? copyOf(value);
    this.copies.set(name, copy);
    return copy;
  }
}

/** Copies lists and dictionaries; a template cannot change anything else. */
export function copyOf(value: unknown): unknown {
  charge(1);
  if (isJinjaList(value)) return value.map(copyOf);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)]));
}
