import { PatternError } from './pattern-source';
import { isLook, leastWidth, type PatternNode } from './syntax-tree';

export interface PrintedPattern {
  /** For the flag `v`. */
  readonly js: string;
  /** The groups that the pattern does not have itself, by their numbers in JavaScript. */
  readonly hidden: readonly number[];
}

/**
 * Prints a pattern as JavaScript. What JavaScript lacks is expressed by what it has: an atomic group is a lookahead with a
 * group of its own, and a reference to it. Whether a group took part is checked at the end of the text, where only a
 * reference to a group that did not take part matches, because its own text has at least one character.
 * @throws PatternError for a condition that cannot be checked in this way
 */
export function printPattern(node: PatternNode): PrintedPattern {
  const printer = new Printer();
  return { js: printer.print(node), hidden: printer.hidden };
}

type Node<Kind extends PatternNode['kind']> = Extract<PatternNode, { kind: Kind }>;

interface Group {
  /** Its number in JavaScript. */
  readonly number: number;
  readonly mayBeEmpty: boolean;
  /** The repetitions around it, from the outermost. */
  readonly loops: readonly object[];
}

class Printer {
  readonly hidden: number[] = [];
  private count = 0;
  private readonly groups = new Map<number, Group>();
  /** The groups that have taken part whenever a match arrives here. */
  private certain: ReadonlySet<number> = new Set();
  /** The groups that JavaScript forgets when a repetition begins again, and Python does not. */
  private readonly forgotten = new Set<number>();
  private readonly loops: object[] = [];
  private inLookbehind = false;

  print(node: PatternNode): string {
    switch (node.kind) {
      case 'one':
      case 'zero':
        return node.js;
      case 'backreference':
        return this.reference(node.group);
      case 'group':
        return this.group(node);
      case 'atomic':
        return this.atomic(node);
      case 'conditional':
        return this.conditional(node);
      case 'choice':
        return this.branches(node.options.map((option) => () => this.print(option))).join('|');
      case 'sequence':
        return node.items.map((item) => this.print(item)).join('');
      case 'repeat':
        return this.repeat(node);
    }
  }

  private group(node: Node<'group'>): string {
    if (isLook(node)) return this.look(node);
    const number = node.number === undefined ? undefined : (this.count += 1);
    const text = `${node.open}${this.print(node.body)})`;
    if (number !== undefined && node.number !== undefined) {
      this.groups.set(node.number, { number, mayBeEmpty: leastWidth(node.body) === 0, loops: [...this.loops] });
      this.certain = new Set([...this.certain, node.number]);
    }
    return text;
  }

  private look(node: Node<'group'>): string {
    const [outer, before] = [this.inLookbehind, this.certain];
    this.inLookbehind = outer || node.open.startsWith('(?<');
    const text = `${node.open}${this.print(node.body)})`;
    this.inLookbehind = outer;
    if (node.open.endsWith('!')) this.certain = before;
    return text;
  }

  private atomic({ body }: Node<'atomic'>): string {
    // JavaScript matches lookbehinds backwards, the reference before its group.
    if (this.inLookbehind)
      throw new PatternError('atomic groups and possessive repeats in a lookbehind are not supported');
    const number = (this.count += 1);
    this.hidden.push(number);
    return `(?:(?=(${this.print(body)}))\\${number})`;
  }

  private reference(group: number): string {
    const condition = this.certain.has(group) || !this.canCheck(group) ? '' : this.tookPart(group);
    // The group around it separates the reference from a following digit.
    return `(?:${condition}\\${this.known(group).number})`;
  }

  private conditional({ group, yes, no }: Node<'conditional'>): string {
    if (this.certain.has(group)) return `(?:${this.print(yes)})`;
    if (!this.canCheck(group)) {
      throw new PatternError(`a condition on group ${group}, which may be empty or is repeated, is not supported`);
    }
    const [taken = '', other = ''] = this.branches([
      () => {
        this.certain = new Set([...this.certain, group]);
        return this.print(yes);
      },
      () => this.print(no),
    ]);
    const condition = this.tookPart(group);
    return `(?:${condition}(?:${taken})|(?!${condition})(?:${other}))`;
  }

  private readonly tookPart = (group: number): string => `(?=[\\s\\S]*$(?!\\${this.known(group).number}))`;

  /** Whether a check tells the same as Python. */
  private canCheck(group: number): boolean {
    const { mayBeEmpty, loops } = this.known(group);
    return !mayBeEmpty && !this.forgotten.has(group) && !loops.some((loop) => this.loops.includes(loop));
  }

  private known(group: number): Group {
    const known = this.groups.get(group);
    if (known === undefined) throw new PatternError(`invalid group reference ${group}`);
    return known;
  }

  private repeat(node: Node<'repeat'>): string {
    const before = this.certain;
    if (node.max > 1) this.loops.push(node);
    const text = this.print(node.body);
    if (node.max > 1) {
      this.loops.pop();
      for (const [group, { loops }] of this.groups) {
        if (loops.includes(node) && !this.certain.has(group)) this.forgotten.add(group);
      }
    }
    if (node.min === 0) this.certain = before;
    // JavaScript skips an optional part that matches nothing, with its groups.
    if (node.min === 0 && node.max === 1 && leastWidth(node.body) === 0)
      return `(?:${node.lazy ? `|${text}` : `${text}|`})`;
    return text + quantifier(node.min, node.max) + (node.lazy ? '?' : '');
  }

  /** Prints alternatives, only one of which is taken. */
  private branches(prints: readonly (() => string)[]): string[] {
    const before = this.certain;
    const ends: ReadonlySet<number>[] = [];
    const texts = prints.map((print) => {
      this.certain = before;
      const text = print();
      ends.push(this.certain);
      return text;
    });
    this.certain = new Set([...(ends[0] ?? before)].filter((group) => ends.every((end) => end.has(group))));
    return texts;
  }
}

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}
