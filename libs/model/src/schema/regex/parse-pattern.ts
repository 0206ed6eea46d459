import { parseClass, parseEscape } from './parse-escape';
import type { PatternSource } from './pattern-source';
import { anyCharacter, endOf, literal, startOf } from './characters';
import type { PatternNode } from './syntax-tree';

/** Reads a pattern in Python's syntax. @throws PatternError with the reason where Python or we do not know a construct */
export function parsePattern(source: PatternSource): PatternNode {
  const node = parseChoice(source, 0);
  if (!source.atEnd) source.fail('unbalanced parenthesis');
  return node;
}

const MAX_DEPTH = 200;

function parseChoice(source: PatternSource, depth: number): PatternNode {
  if (depth > MAX_DEPTH) source.fail('too many nested groups');
  const options = [parseSequence(source, depth)];
  while (source.take('|')) options.push(parseSequence(source, depth));
  return options.length === 1 ? (options[0] as PatternNode) : { kind: 'choice', options };
}

function parseSequence(source: PatternSource, depth: number): PatternNode {
  const items: PatternNode[] = [];
  for (;;) {
    source.skipVerbose();
    const next = source.peek();
    if (next === '' || next === '|' || next === ')') return { kind: 'sequence', items };
    const atom = parseAtom(source, depth);
    if (atom) items.push(parseRepeat(source, atom));
  }
}

/** One atom, or nothing for a comment. */
function parseAtom(source: PatternSource, depth: number): PatternNode | undefined {
  const char = source.next();
  const { flags } = source;
  if (char === '(') return parseGroup(source, depth);
  if (char === '[') return { kind: 'one', js: parseClass(source) };
  if (char === '\\') return parseEscape(source);
  if (char === '.') return { kind: 'one', js: anyCharacter(flags.has('s')) };
  if (char === '^') return { kind: 'zero', js: startOf(flags.has('m')) };
  if (char === '$') return { kind: 'zero', js: endOf(flags.has('m')) };
  if (char === '*' || char === '+' || char === '?') source.fail('nothing to repeat');
  return { kind: 'one', js: literal(char) };
}

const groupOpenings: readonly [spelling: string, js: string][] = [
  ['?:', '(?:'],
  ['?=', '(?='],
  ['?!', '(?!'],
  ['?<=', '(?<='],
  ['?<!', '(?<!'],
];

function parseGroup(source: PatternSource, depth: number): PatternNode | undefined {
  if (source.take('?#')) {
    source.upTo(')', 'missing ), unterminated comment');
    return undefined;
  }
  if (source.take('?P=')) return namedReference(source);
  return { kind: 'group', open: groupOpening(source), body: groupBody(source, depth) };
}

function groupOpening(source: PatternSource): string {
  for (const [spelling, js] of groupOpenings) if (source.take(spelling)) return js;
  if (source.take('?P<') || source.take('?<')) {
    const name = groupName(source.upTo('>', 'missing >, unterminated name'), source);
    if (source.names.has(name)) source.fail(`redefinition of group name '${name}'`);
    source.names.add(name);
    source.groups += 1;
    return `(?<${name}>`;
  }
  if (source.peek() === '?') source.fail('unknown extension');
  source.groups += 1;
  return '(';
}

function groupBody(source: PatternSource, depth: number): PatternNode {
  const body = parseChoice(source, depth + 1);
  if (!source.take(')')) source.fail('missing ), unterminated subpattern');
  return body;
}

function namedReference(source: PatternSource): PatternNode {
  const name = source.upTo(')', 'missing ), unterminated name');
  if (!source.names.has(name)) source.fail(`unknown group name '${name}'`);
  return { kind: 'backreference', js: `\\k<${name}>` };
}

function groupName(name: string, source: PatternSource): string {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) source.fail(`bad character in group name '${name}'`);
  return name;
}

function parseRepeat(source: PatternSource, body: PatternNode): PatternNode {
  source.skipVerbose();
  const bounds = source.takeQuantifier();
  if (!bounds) return body;
  const [min, max] = bounds;
  if (min > max) source.fail('min repeat greater than max repeat');
  const lazy = source.take('?');
  if (!lazy && source.peek() === '+') source.fail('possessive repeats are not supported');
  if (source.takeQuantifier()) source.fail('multiple repeat');
  // JavaScript repeats no lookbehind, and no anchor that we spell as one; a group makes them repeatable.
  const repeatable: PatternNode = body.kind === 'zero' || isLook(body) ? { kind: 'group', open: '(?:', body } : body;
  return { kind: 'repeat', body: repeatable, min, max, lazy };
}

const isLook = (node: PatternNode): boolean => node.kind === 'group' && /^\(\?<?[=!]$/.test(node.open);
