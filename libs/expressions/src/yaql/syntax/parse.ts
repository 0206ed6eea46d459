import { Lexer, grammarProblem, nestingProblem, type YaqlToken } from './lex';
import type { YaqlArguments, Node, MappingRule } from './nodes';

interface Operator {
  readonly power: number;
  readonly fromRight?: boolean;
}

/** Binary operators with their precedence. */
const BINARY: ReadonlyMap<unknown, Operator> = new Map<string, Operator>([
  ['->', { power: 1, fromRight: true }],
  ['or', { power: 2 }],
  ['and', { power: 3 }],
  ...['>', '<', '>=', '<=', '!=', '=', 'in'].map((name) => [name, { power: 5 }] as const),
  ...['+', '-'].map((name) => [name, { power: 6 }] as const),
  ...['*', '/', 'mod'].map((name) => [name, { power: 7 }] as const),
  ...['=~', '!~'].map((name) => [name, { power: 8 }] as const),
  ...['.', '?.'].map((name) => [name, { power: 11 }] as const),
]);
const INDEX_POWER = 10;
const PREFIX: ReadonlyMap<unknown, number> = new Map([['not', 4], ['+', 9], ['-', 9]]); // oxfmt-ignore

/** Limits the nesting of brackets and the height of the tree, in which `a + b + c` counts three. */
const MAX_NESTING = 250;
const MAX_DEPTH = 1000;

/** Parses one expression. @throws YaqlFailure with a position */
export function parseYaqlExpression(source: string): Node {
  return new Parser(new Lexer(source)).parse();
}

class Parser {
  private token: YaqlToken;
  private nesting = 0;

  constructor(private readonly lexer: Lexer) {
    this.token = lexer.next();
  }

  parse(): Node {
    const node = this.expression(0);
    if (this.token.kind !== 'end') this.unexpected();
    return node;
  }

  private expression(power: number): Node {
    this.nesting += 1;
    if (this.nesting > MAX_NESTING) throw nestingProblem(this.token.position);
    let left = this.operand();
    for (let next = this.continued(left, power); next !== undefined; next = this.continued(left, power)) left = next;
    this.nesting -= 1;
    return left;
  }

  /** Extends `left` by the next operator if that has at least the given precedence. */
  private continued(left: Node, power: number): Node | undefined {
    if (this.token.kind !== 'operator') return undefined;
    if (this.token.value === '[') return power <= INDEX_POWER ? this.index(left) : undefined;
    const operator = BINARY.get(this.token.value);
    if (operator === undefined || operator.power < power) return undefined;
    const { value, position } = this.advance();
    const right = this.expression(operator.fromRight === true ? operator.power : operator.power + 1);
    const depth = this.height(position, [left, right]);
    return { kind: 'binary', operator: value as string, left, right, depth };
  }

  private index(target: Node): Node {
    const { position } = this.advance();
    const args = this.args(']');
    return { kind: 'index', target, args, depth: this.height(position, [target, ...nodesOf(args)]) };
  }

  private operand(): Node {
    const { kind, value, position } = this.token;
    switch (kind) {
      case 'literal':
      case 'number':
      case 'text':
        this.advance();
        return { kind: 'literal', value, depth: 1 };
      case 'word':
        this.advance();
        return { kind: 'word', value: value as string, depth: 1 };
      case 'variable':
        this.advance();
        return { kind: 'variable', name: value as string, depth: 1 };
      case 'call': {
        this.advance();
        const args = this.args(')');
        return { kind: 'call', name: value as string, args, depth: this.height(position, nodesOf(args)) };
      }
      default:
        return this.bracketOrPrefix(position);
    }
  }

  private bracketOrPrefix(position: number): Node {
    const { value } = this.token;
    const power = PREFIX.get(value);
    if (power !== undefined) {
      this.advance();
      const operand = this.expression(power);
      return { kind: 'unary', operator: value as string, operand, depth: this.height(position, [operand]) };
    }
    if (value !== '(' && value !== '[' && value !== '{') this.unexpected();
    this.advance();
    if (value === '(') {
      const inner = this.expression(0);
      this.expect(')');
      return { kind: 'group', inner, depth: this.height(position, [inner]) };
    }
    const args = this.args(value === '[' ? ']' : '}');
    return { kind: value === '[' ? 'list' : 'map', args, depth: this.height(position, nodesOf(args)) };
  }

  /** Parses arguments up to the closing bracket: positional ones first (which may be omitted), then those with `=>`. */
  private args(close: string): YaqlArguments {
    const positional: (Node | undefined)[] = [];
    const rules: MappingRule[] = [];
    if (this.accept(close)) return { positional, rules };
    for (;;) {
      if (rules.length === 0 && this.accept(',')) {
        positional.push(undefined);
        continue;
      }
      const key = this.expression(0);
      if (this.accept('=>')) rules.push({ key, value: this.expression(0) });
      else if (rules.length > 0) this.unexpected();
      else positional.push(key);
      if (this.accept(close)) return { positional, rules };
      this.expect(',');
    }
  }

  private height(position: number, children: readonly Node[]): number {
    let depth = 0;
    for (const child of children) depth = Math.max(depth, child.depth);
    if (depth >= MAX_DEPTH) throw nestingProblem(position);
    return depth + 1;
  }

  private accept(operator: string): boolean {
    if (this.token.kind !== 'operator' || this.token.value !== operator) return false;
    this.advance();
    return true;
  }

  private expect(operator: string): void {
    if (!this.accept(operator)) this.unexpected();
  }

  private advance(): YaqlToken {
    const { token } = this;
    this.token = this.lexer.next();
    return token;
  }

  private unexpected(): never {
    throw grammarProblem(this.lexer.source, this.token);
  }
}

const nodesOf = ({ positional, rules }: YaqlArguments): Node[] => [
  ...positional.filter((node) => node !== undefined),
  ...rules.flatMap(({ key, value }) => [key, value]),
];
