import type {
  JinjaArguments,
  TemplateBody,
  Expression,
  FilterNode,
  MacroNode,
  Slice,
  Statement,
  Target,
} from './nodes';

/** The names and features that a template uses. */
export interface TemplateNames {
  /** Names that it reads but does not set. */
  readonly roots: readonly string[];
  /**
   * The paths it reads, as far as the text shows them: `a.b[0].c(d)` reads `['a', 'b', 0]` and `['d']`, or parts of
   * these.
   */
  readonly reads: readonly ReadPath[];
  /** Whether it calls a method that changes lists or dictionaries. */
  readonly changes: boolean;
  /** Whether it decrypts secret datastore items. */
  readonly decrypts: boolean;
}

/** A name, and the steps down into its value. */
export type ReadPath = readonly [name: string, ...steps: (string | number)[]];

/** Collects the names of a template in reading order. @param known built-in names, such as `range` */
export function collectNames(
  body: TemplateBody,
  known: ReadonlySet<string>,
  changing: ReadonlySet<string>,
): TemplateNames {
  const collector = new Collector(known, changing);
  collector.body(body, new Set());
  const { roots, reads, changes, decrypts } = collector;
  return { roots: [...roots], reads, changes, decrypts };
}

type Local = Set<string>;

class Collector {
  readonly roots = new Set<string>();
  readonly reads: ReadPath[] = [];
  changes = false;
  decrypts = false;

  constructor(
    private readonly known: ReadonlySet<string>,
    private readonly changing: ReadonlySet<string>,
  ) {}

  body(body: TemplateBody, local: Local): void {
    for (const statement of body) this.statement(statement, local);
  }

  /** Names set inside a block stay inside. */
  private inner(body: TemplateBody, local: Local, ...names: string[]): void {
    this.body(body, new Set([...local, ...names]));
  }

  private statement(node: Statement, local: Local): void {
    switch (node.kind) {
      case 'data':
      case 'load':
        return;
      case 'output':
        return this.expression(node.value, local);
      case 'if':
        for (const { test, body } of node.branches) {
          this.expression(test, local);
          this.body(body, local);
        }
        return this.body(node.otherwise, local);
      case 'for':
        return this.loop(node, local);
      case 'set':
        this.expression(node.value, local);
        return this.target(node.target, local);
      case 'capture':
        this.inner(node.body, local);
        this.filter(node.filter, local);
        return this.target(node.target, local);
      default:
        return this.block(node, local);
    }
  }

  private block(
    node: Exclude<Statement, { kind: 'data' | 'load' | 'output' | 'if' | 'for' | 'set' | 'capture' }>,
    local: Local,
  ): void {
    switch (node.kind) {
      case 'with': {
        const names = new Set(local);
        for (const [target, value] of node.values) {
          this.expression(value, local);
          this.target(target, names);
        }
        return this.body(node.body, names);
      }
      case 'filterBlock':
        this.filter(node.filter, local);
        return this.inner(node.body, local);
      case 'block':
        return this.inner(node.body, local);
      case 'macro':
        local.add(node.name);
        return this.macro(node, local);
      case 'callBlock':
        this.expression(node.call, local);
        return this.macro(node.caller, local);
    }
  }

  private loop(node: Extract<Statement, { kind: 'for' }>, local: Local): void {
    this.expression(node.items, local);
    const names = new Set([...local, 'loop']);
    this.target(node.target, names);
    if (node.test !== undefined) this.expression(node.test, names);
    this.body(node.body, names);
    this.inner(node.otherwise, local);
  }

  private macro(node: MacroNode, local: Local): void {
    const names = node.parameters.map(({ name }) => name);
    for (const { fallback } of node.parameters)
      if (fallback !== undefined) this.expression(fallback, new Set([...local, ...names]));
    this.inner(node.body, local, ...names, 'varargs', 'kwargs', 'caller');
  }

  private target(target: Target, local: Local): void {
    if (target.kind === 'name') local.add(target.name);
    else if (target.kind === 'tuple') for (const item of target.items) this.target(item, local);
    else this.read([target.object], local);
  }

  private read(path: ReadPath, local: Local): void {
    const [name] = path;
    if (local.has(name) || this.known.has(name)) return;
    this.roots.add(name);
    this.reads.push(path);
  }

  private filter(node: FilterNode | undefined, local: Local): void {
    if (node !== undefined) this.expression(node, local);
  }

  /** @param called whether the path names a method, which sees the whole of its owner */
  private expression(node: Expression | Slice, local: Local, called = false): void {
    if (node.kind === 'datastore') this.read([node.root], local);
    if (node.kind === 'attribute' && this.changing.has(node.name)) this.changes = true;
    if (node.kind === 'filter') this.decrypts ||= node.name === 'decrypt_kv';
    const path = readPath(node);
    if (path !== undefined) return this.read(called ? withoutLast(path) : path, local);
    for (const child of children(node)) this.expression(child, local, node.kind === 'call' && child === node.target);
  }
}

/** The path that an expression reads, if the text alone determines it. */
function readPath(node: Expression | Slice): ReadPath | undefined {
  if (node.kind === 'name') return [node.name];
  if (node.kind !== 'attribute' && node.kind !== 'item') return undefined;
  const step = node.kind === 'attribute' ? node.name : constantKey(node.key);
  const path = step === undefined ? undefined : readPath(node.target);
  return path === undefined || step === undefined ? undefined : [...path, step];
}

const constantKey = (key: Expression | Slice): string | number | undefined =>
  key.kind === 'constant' && (typeof key.value === 'string' || typeof key.value === 'number') ? key.value : undefined;

const withoutLast = ([name, ...steps]: ReadPath): ReadPath => [name, ...steps.slice(0, -1)];

function children(node: Expression | Slice): readonly (Expression | Slice)[] {
  switch (node.kind) {
    case 'constant':
    case 'name':
      return [];
    case 'list':
    case 'tuple':
    case 'concat':
      return node.items;
    case 'dict':
      return node.entries.flat();
    case 'attribute':
      return [node.target];
    case 'item':
      return [node.target, node.key];
    case 'datastore':
      return node.path;
    case 'call':
      return [node.target, ...argumentNodes(node.args)];
    case 'filter':
    case 'test':
      return [...present(node.target), ...argumentNodes(node.args)];
    case 'not':
    case 'sign':
      return [node.operand];
    case 'and':
    case 'or':
    case 'binary':
      return [node.left, node.right];
    case 'compare':
      return [node.first, ...node.rest.map(([, right]) => right)];
    case 'conditional':
      return [node.test, node.then, ...present(node.otherwise)];
    case 'slice':
      return [...present(node.start), ...present(node.stop), ...present(node.step)];
  }
}

const present = (node: Expression | undefined): Expression[] => (node === undefined ? [] : [node]);

const argumentNodes = (args: JinjaArguments): Expression[] => [
  ...args.positional,
  ...args.named.map(([, value]) => value),
  ...present(args.spread),
  ...present(args.spreadNamed),
];
