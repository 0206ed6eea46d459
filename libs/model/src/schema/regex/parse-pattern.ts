import { backreference, parseClass, parseEscape } from './parse-escape';
import type { PatternSource } from './pattern-source';
import { anyCharacter, endOf, startOf } from './characters';
import { literalIn } from './letter-case';
import { scopedFlags } from './scoped-flags';
import { isLook, type PatternNode } from './syntax-tree';

/** Parses a pattern in Python syntax. @throws PatternError with the reason if a construct is invalid or unsupported */
export function parsePattern(source: PatternSource): PatternNode {
  const node = parseChoice(source, 0);
  if (!source.atEnd) source.fail('unbalanced parenthesis');
  return node;
}

const MAX_DEPTH = 200;

function parseChoice(source: PatternSource, depth: number): PatternNode {
  const options = [parseSequence(source, depth)];
  while (source.take('|')) options.push(parseSequence(source, depth));
  return options.length === 1 ? (options[0] as PatternNode) : { kind: 'choice', options };
}

function parseSequence(source: PatternSource, depth: number): PatternNode {
  if (depth > MAX_DEPTH) source.fail('too many nested groups', source.position - 1);
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
  return { kind: 'one', js: literalIn(source, char) };
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
  if (source.take('?>')) return { kind: 'atomic', body: groupBody(source, depth, from) };
  if (source.take('?(')) return parseConditional(source, depth, from);
  const flags = scopedFlags(source);
  if (flags) return { kind: 'group', open: '(?:', body: source.withFlags(flags, () => groupBody(source, depth, from)) };
  return plainGroup(source, depth, from);
}

function plainGroup(source: PatternSource, depth: number, from: number): PatternNode {
  for (const [spelling, open] of groupOpenings) {
    if (source.take(spelling)) return { kind: 'group', open, body: groupBody(source, depth, from) };
  }
  const name = source.take('?P<') || source.take('?<') ? newGroupName(source) : undefined;
  if (name === undefined && source.peek() === '?') unknownGroup(source, from + 1);
  const number = (source.groups += 1);
  if (name !== undefined) source.names.set(name, number);
  source.openGroups.add(number);
  const body = groupBody(source, depth, from);
  source.openGroups.delete(number);
  return { kind: 'group', open: name === undefined ? '(' : `(?<${name}>`, number, body };
}

/** From after `(?(`. */
function parseConditional(source: PatternSource, depth: number, from: number): PatternNode {
  const at = source.position;
  const name = source.upTo(')', 'missing ), unterminated name');
  const group = /^\d+$/.test(name) ? Number(name) : source.names.get(groupName(name, source, at));
  if (group === undefined) source.fail(`unknown group name '${name}'`, at);
  if (group === 0) source.fail('bad group number', at);
  if (group > source.groups) source.fail(`invalid group reference ${group}`, at);
  if (source.openGroups.has(group)) source.fail('a condition on an open group is not supported', at);
  const yes = parseSequence(source, depth + 1);
  const no = source.take('|') ? parseSequence(source, depth + 1) : NOTHING;
  if (source.peek() === '|') source.fail('conditional backref with more than two branches');
  closeGroup(source, from);
  return { kind: 'conditional', group, yes, no };
}

const NOTHING: PatternNode = { kind: 'sequence', items: [] };

function unknownGroup(source: PatternSource, from: number): never {
  const [kind, detail] = [source.peek(1), source.peek(2)];
  if (kind === '') source.fail('unexpected end of pattern', from + 1);
  return source.fail(`unknown extension ?${kind}${kind === 'P' ? detail : ''}`, from);
}

function newGroupName(source: PatternSource): string {
  const from = source.position;
  const name = groupName(source.upTo('>', 'missing >, unterminated name'), source, from);
  if (source.names.has(name)) source.fail(`redefinition of group name '${name}'`, from);
  return name;
}

function groupBody(source: PatternSource, depth: number, from: number): PatternNode {
  const body = parseChoice(source, depth + 1);
  closeGroup(source, from);
  return body;
}

function closeGroup(source: PatternSource, from: number): void {
  if (!source.take(')')) source.fail('missing ), unterminated subpattern', from);
}

function namedReference(source: PatternSource): PatternNode {
  const from = source.position;
  const name = source.upTo(')', 'missing ), unterminated name');
  const group = source.names.get(name);
  if (group === undefined) source.fail(`unknown group name '${name}'`, from);
  return backreference(group, source, from);
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
  const possessive = !lazy && source.take('+');
  const next = source.position;
  if (source.takeQuantifier()) source.fail('multiple repeat', next);
  // JavaScript cannot repeat lookbehinds, nor anchors translated to them, so they are wrapped in a group.
  const repeatable: PatternNode = body.kind === 'zero' || isLook(body) ? { kind: 'group', open: '(?:', body } : body;
  const repeat: PatternNode = { kind: 'repeat', body: repeatable, min, max, lazy };
  return possessive ? { kind: 'atomic', body: repeat } : repeat;
}
