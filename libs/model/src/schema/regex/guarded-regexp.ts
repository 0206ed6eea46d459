import { fault, isFault, lacksResources, messageOf, type Fault } from '@switchyard/base';
import { BoundedCache } from '../bounded-cache';
import { parsePattern } from './parse-pattern';
import { patternCost, type PatternCost } from './pattern-cost';
import { PatternError, PatternSource } from './pattern-source';
import { printPattern, type PrintedPattern } from './print-pattern';
import type { PatternNode } from './syntax-tree';
import { execWithin } from './time-limit';

/**
 * A user's regular expression in Python syntax that cannot block the process. An expression that is cheap for the given text
 * runs directly; any other has a time limit (50 ms of processor time at first) and then throws `regex.too-slow`. The methods have Python's
 * semantics: `exec` searches, `match` matches at the start, `fullMatch` matches the whole text.
 */
export interface GuardedRegExp {
  /** The original pattern. */
  readonly source: string;
  test(text: string): boolean;
  /** @param from index of the first UTF-16 unit to search; `^` still means the start of the text */
  exec(text: string, from?: number): RegExpExecArray | null;
  match(text: string): RegExpExecArray | null;
  fullMatch(text: string): RegExpExecArray | null;
  /** Whether it takes at most some milliseconds on a text, so that it needs no time limit. */
  isCheapOn(text: string): boolean;
}

const cache = new BoundedCache<string, GuardedRegExp>(1000);

/**
 * The guarded matcher of a pattern, from a cache.
 * @param flags any of Python's `i`, `m`, `s`, `x`; also `d` for matches with the positions of groups (`indices`)
 * @throws fault `regex.invalid`
 */
export function guardedRegExp(source: string, flags = ''): GuardedRegExp {
  return cache.get(`${flags}/${source}`, () => translate(source, flags));
}

function translate(pattern: string, flags: string): GuardedRegExp {
  try {
    const { tree, own } = parsed(pattern, flags);
    const made = matcher(pattern, printPattern(tree), `${own}v`, patternCost(tree));
    // V8 compiles an expression at its first use, and may only then find that it is too large.
    if (pattern.length >= LONG_PATTERN) made.test('');
    return made;
  } catch (thrown) {
    throw isFault(thrown) ? thrown : unusable(pattern, thrown);
  }
}

/** JavaScript ignores case in a whole pattern or not at all. */
function parsed(pattern: string, flags: string): { tree: PatternNode; own: string } {
  let source = new PatternSource(pattern, flags);
  let tree = parsePattern(source);
  if (source.mixesCase) {
    source = new PatternSource(pattern, flags, true);
    tree = parsePattern(source);
  }
  const own = [...'di'].filter((flag) => source.flags.has(flag) && !(flag === 'i' && source.spellsCase)).join('');
  return { tree, own };
}

const LONG_PATTERN = 1000;

/** Besides syntax errors, the stack may overflow or V8's code may become too large. Its errors may come from another realm. */
function unusable(pattern: string, thrown: unknown): Fault {
  const told = messageOf(thrown);
  // V8's message repeats the whole expression.
  const reason = thrown instanceof PatternError ? told : (told.split(': ').at(-1) ?? told);
  return fault('regex.invalid', { pattern: short(pattern), reason }, { cause: thrown });
}

function matcher(source: string, { js, hidden }: PrintedPattern, flags: string, cost: PatternCost): GuardedRegExp {
  const search = new RegExp(js, `g${flags}`);
  const start = new RegExp(js, `y${flags}`);
  const whole = new RegExp(`(?:${js})$`, `y${flags}`);
  let limitMs = TIME_LIMIT_MS;
  const run = (regexp: RegExp, text: string, from: number): RegExpExecArray | null => {
    regexp.lastIndex = from;
    let found: RegExpExecArray | null | 'timeout';
    try {
      if (isCheap(cost, text.length)) return withoutGroups(hidden, regexp.exec(text));
      found = execWithin(regexp, text, limitMs);
    } catch (thrown) {
      // This says nothing about the expression.
      if (lacksResources(thrown)) throw thrown;
      throw unusable(source, thrown);
    }
    if (found !== 'timeout') return withoutGroups(hidden, found);
    const details = { pattern: short(source), limitMs };
    // A pattern that timed out once gets less time, so that many texts do not each cost the full limit.
    limitMs = Math.max(Math.floor(limitMs / 2), MIN_TIME_LIMIT_MS);
    throw fault('regex.too-slow', details);
  };
  return {
    source,
    test: (text) => run(search, text, 0) !== null,
    exec: (text, from = 0) => run(search, text, from),
    match: (text) => run(start, text, 0),
    fullMatch: (text) => run(whole, text, 0),
    isCheapOn: (text) => isCheap(cost, text.length),
  };
}

function withoutGroups(hidden: readonly number[], found: RegExpExecArray | null): RegExpExecArray | null {
  for (const number of hidden.toReversed()) {
    found?.splice(number, 1);
    found?.indices?.splice(number, 1);
  }
  return found;
}

/** About 10 ms at worst. */
const STEP_BUDGET = 2e6;
const isCheap = ({ wild, factor, degree }: PatternCost, length: number): boolean =>
  !wild && factor * (length + 1) ** degree <= STEP_BUDGET;

const TIME_LIMIT_MS = 50;
const MIN_TIME_LIMIT_MS = 12;

const short = (pattern: string): string => (pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern);
