import { parseClass, parseEscape } from './parse-escape';
import type { PatternSource } from './pattern-source';
import { anyCharacter, endOf, literalPattern, startOf } from './characters';
import type { PatternNode } from './syntax-tree';

/** Parses a pattern in Python syntax. @throws PatternError with the reason if a construct is invalid or unsupported */
export function parsePattern(source: PatternSource): PatternNode {
  const node = parseChoice(source, 0);
  if (!source.atEnd) source.fail('unbalanced parenthesis');
  return node;
}

const MAX_DEPTH = 200;

function parseChoice(source: PatternSource, depth: number): PatternNode {
  if (depth > MAX_DEPTH) source.fail('too many nested groups', source.position - 1);
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
  const from = source.position;
  const char = source.next();
  const { flags } = source;
  if (char === '(') return parseGroup(source, depth, from);
  if (char === '[') return { kind: 'one', js: parseClass(source) };
  if (char === '\\') return parseEscape(source);
  if (char === '.') return { kind: 'one', js: anyCharacter(flags.has('s')) };
  if (char === '^') return { kind: 'zero', js: startOf(flags.has('m')) };
  if (char === '$') return { kind: 'zero', js: endOf(flags.has('m')) };
  if (char === '*' || char === '+' || char === '?') source.fail('nothing to repeat', from);
  return { kind: 'one', js: literalPattern(char) };
}

const groupOpenings: readonly [spelling: string, js: string][] = [
  ['?:', '(?:'],
  ['?=', '(?='],
  ['?!', '(?!'],
  ['?<=', '(?<='],
  ['?<!', '(?<!'],
];

/** @param from the start of the group */
function parseGroup(source: PatternSource, depth: number, from: number): PatternNode | undefined {
  if (source.take('?#')) {
    source.upTo(')', 'missing ), unterminated comment', from);
    return undefined;
  }
  if (source.take('?P=')) return namedReference(source);
  return { kind: 'group', open: groupOpening(source, from), body: groupBody(source, depth, from) };
}

function groupOpening(source: PatternSource, from: number): string {
  for (const [spelling, js] of groupOpenings) if (source.take(spelling)) return js;
  if (source.take('?P<') || source.take('?<')) return namedGroup(source);
  if (source.peek() === '?') unknownGroup(source, from + 1);
  source.groups += 1;
  return '(';
}

function unknownGroup(source: PatternSource, from: number): never {
  const [kind, detail] = [source.peek(1), source.peek(2)];
  if (kind === '') source.fail('unexpected end of pattern', from + 1);
  return source.fail(`unknown extension ?${kind}${kind === 'P' ? detail : ''}`, from);
}

function namedGroup(source: PatternSource): string {
  const from = source.position;
  const name = groupName(source.upTo('>', 'missing >, unterminated name'), source, from);
  if (source.names.has(name)) source.fail(`redefinition of group name '${name}'`, from);
  source.names.add(name);
  source.groups += 1;
  return `(?<${name}>`;
}

function groupBody(source: PatternSource, depth: number, from: number): PatternNode {
  const body = parseChoice(source, depth + 1);
  if (!source.take(')')) source.fail('missing ), unterminated subpattern', from);
  return body;
}

function namedReference(source: PatternSource): PatternNode {
  const from = source.position;
  const name = source.upTo(')', 'missing ), unterminated name');
  if (!source.names.has(name)) source.fail(`unknown group name '${name}'`, from);
  return { kind: 'backreference', js: `\\k<${name}>` };
}

function groupName(name: string, source: PatternSource, from: number): string {
  if (name === '') source.fail('missing group name', from);
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) source.fail(`bad character in group name '${name}'`, from);
  return name;
}

function parseRepeat(source: PatternSource, body: PatternNode): PatternNode {
  source.skipVerbose();
  const from = source.position;
  const bounds = source.takeQuantifier();
  if (!bounds) return body;
  const [min, max] = bounds;
  if (min > max) source.fail('min repeat greater than max repeat', from + 1);
  const lazy = source.take('?');
  if (!lazy && source.peek() === '+') source.fail('possessive repeats are not supported');
  const next = source.position;
  if (source.takeQuantifier()) source.fail('multiple repeat', next);
  // JavaScript cannot repeat lookbehinds, nor anchors translated to them, so they are wrapped in a group.
  const repeatable: PatternNode = body.kind === 'zero' || isLook(body) ? { kind: 'group', open: '(?:', body } : body;
  return { kind: 'repeat', body: repeatable, min, max, lazy };
}

const isLook = (node: PatternNode): boolean => node.kind === 'group' && /^\(\?<?[=!]$/.test(node.open);
