import type { ForNode } from '../syntax/nodes';
import { equalsJinja } from '../values/compare';
import { JinjaError } from '../values/jinja-error';
import { iterate, jinjaTruth } from '../values/sequence';
import { Undefined } from '../values/undefined';
import { evaluateNode } from './evaluate';
import { assignTo, execute } from './execute';
import type { Callable, JinjaRendering } from './run';
import { Scope } from './scope';

/** Executes `{% for %}`; names set in the body stay inside. */
export function executeFor(node: ForNode, scope: Scope, run: JinjaRendering, out: string[]): void {
  loopOver(node, evaluateNode(node.items, scope, run), scope, run, out, 0);
}

function loopOver(
  node: ForNode,
  value: unknown,
  scope: Scope,
  run: JinjaRendering,
  out: string[],
  depth: number,
): void {
  const items = filtered(node, iterate(value), scope, run);
  if (items.length === 0) return execute(node.otherwise, new Scope(scope), run, out);
  const loop = new Loop(items, depth, node.recursive ? recurse(node, scope, depth) : undefined);
  for (const item of items) {
    run.budget.spend();
    const inner = new Scope(scope);
    inner.set('loop', loop.callable());
    assignTo(node.target, item, inner);
    execute(node.body, inner, run, out);
    loop.advance();
  }
}

function filtered(node: ForNode, items: readonly unknown[], scope: Scope, run: JinjaRendering): readonly unknown[] {
  const { test } = node;
  if (test === undefined) return items;
  return items.filter((item) => {
    const inner = new Scope(scope);
    assignTo(node.target, item, inner);
    return jinjaTruth(evaluateNode(test, inner, run));
  });
}

const recurse =
  (node: ForNode, scope: Scope, depth: number): Callable =>
  ([items], _named, run) => {
    const out: string[] = [];
    loopOver(node, items, scope, run, out, depth + 1);
    return out.join('');
  };

type Field = (loop: Loop) => unknown;

const FIELDS: Readonly<Record<string, Field>> = {
  index: (loop) => loop.at + 1,
  index0: (loop) => loop.at,
  revindex: (loop) => loop.items.length - loop.at,
  revindex0: (loop) => loop.items.length - loop.at - 1,
  first: (loop) => loop.at === 0,
  last: (loop) => loop.at === loop.items.length - 1,
  length: (loop) => loop.items.length,
  depth: (loop) => loop.depth + 1,
  depth0: (loop) => loop.depth,
  previtem: (loop) => loop.item(loop.at - 1, 'there is no previous item'),
  nextitem: (loop) => loop.item(loop.at + 1, 'there is no next item'),
  cycle: (loop) => loop.cycle,
  changed: (loop) => loop.changed,
};

/** The `loop` variable of a loop body. */
class Loop {
  at = 0;
  private seen: readonly unknown[] | undefined;

  constructor(
    readonly items: readonly unknown[],
    readonly depth: number,
    private readonly again: Callable | undefined,
  ) {}

  /** In a recursive loop `loop` is also a function; both forms have the same fields. */
  callable(): unknown {
    if (this.again === undefined) return this;
    return Object.assign(this.again.bind(undefined), { attribute: (name: string) => this.attribute(name) });
  }

  advance(): void {
    this.at += 1;
  }

  attribute(name: string): unknown {
    return Object.hasOwn(FIELDS, name) ? FIELDS[name]?.(this) : undefined;
  }

  item(index: number, missing: string): unknown {
    return index in this.items ? this.items[index] : new Undefined(missing);
  }

  readonly cycle: Callable = (values) => {
    if (values.length === 0) throw new JinjaError('TypeError', 'no items for cycling given');
    return values[this.at % values.length];
  };

  readonly changed: Callable = (values) => {
    const before = this.seen;
    this.seen = values;
    return before === undefined || !equalsJinja([...before], [...values]);
  };

  text(): string {
    return `<LoopContext ${this.at + 1}/${this.items.length}>`;
  }
}
