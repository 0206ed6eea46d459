import { messageOf } from '@switchyard/base';
import type { CriteriaDocument, CriterionEnv, CriterionProblem } from '../criteria';
import { isEmptyPayload } from '../criteria/compile-criteria';
import { lookUp, type LookedUp } from '../criteria/look-up';
import { indexed, type CompiledRule, type Equality } from './compile-rule';

/** The rules of one trigger. */
export interface RuleSet {
  readonly rules: readonly CompiledRule[];
  /** The number of rules that are not backstops. */
  readonly standard: number;
  /** The rules that may match an event, in order: all except those whose equality criteria exclude it. */
  candidates(event: RuleEvent): readonly CompiledRule[];
}

/** Below this number, an index costs more than it saves. */
const FEW = 4;

/**
 * Groups rules by the value that they require for a key. Each rule is in one group, for the key that most rules share. An event
 * needs one look-up per key, however many rules there are.
 */
export function createRuleSet(rules: readonly CompiledRule[]): RuleSet {
  const popularity = keysByPopularity(rules);
  const byKey = new Map<string, Map<string, number[]>>();
  const always: number[] = [];
  rules.forEach((rule, position) => {
    const best = mostPopular(rule.equalities, popularity);
    if (!best) return void always.push(position);
    const groups = entry(byKey, best.key, () => new Map<string, number[]>());
    entry(groups, best.value, () => []).push(position);
  });
  const standard = rules.filter(({ backstop }) => !backstop).length;
  if (byKey.size === 0) return { rules, standard, candidates: () => rules };
  return { rules, standard, candidates: (event) => candidates(rules, always, byKey, event) };
}

function mostPopular(equalities: readonly Equality[], popularity: ReadonlyMap<string, number>): Equality | undefined {
  const shared = ({ key }: Equality): number => popularity.get(key) ?? 0;
  const [best] = [...equalities].sort((a, b) => shared(b) - shared(a));
  return best && shared(best) >= FEW ? best : undefined;
}

function candidates(
  rules: readonly CompiledRule[],
  always: readonly number[],
  byKey: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>,
  event: RuleEvent,
): CompiledRule[] {
  const positions = [...always];
  for (const [key, groups] of byKey) positions.push(...fitting(groups, key, event));
  return positions.sort((a, b) => a - b).map((position) => rules[position] as CompiledRule);
}

function fitting(groups: ReadonlyMap<string, readonly number[]>, key: string, event: RuleEvent): Iterable<number> {
  const looked = event.lookUp(key);
  // The rules themselves report the problem of the key with this payload.
  if ('reason' in looked) return [...groups.values()].flat();
  const value = looked.found ? indexed(looked.value) : undefined;
  return value === undefined ? [] : (groups.get(value) ?? []);
}

function keysByPopularity(rules: readonly CompiledRule[]): Map<string, number> {
  const popularity = new Map<string, number>();
  for (const { equalities } of rules)
    for (const key of new Set(equalities.map((equality) => equality.key)))
      popularity.set(key, (popularity.get(key) ?? 0) + 1);
  return popularity;
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

export interface RuleAnswer {
  readonly matched: boolean;
  /** The first problem of a rule that did not match. */
  readonly problem?: CriterionProblem;
}

/** Tests rules on an event, one after another. */
export function ruleAsker(event: RuleEvent, env: Omit<CriterionEnv, 'problem'>): (rule: CompiledRule) => RuleAnswer {
  let first: CriterionProblem | undefined;
  const telling: CriterionEnv = { ...env, problem: (problem) => void (first ??= problem) };
  return (rule) => {
    first = undefined;
    const matched = rule.test(event, telling);
    // A search may match even if some elements could not be tested.
    if (matched) return MATCHED;
    return first ? { matched: false, problem: first } : UNMATCHED;
  };
}

const MATCHED: RuleAnswer = { matched: true };
const UNMATCHED: RuleAnswer = { matched: false };

/** The problem of a rule, worded as clients expect. @param ref of the rule */
export function problemText(ref: string, { kind, key, pattern, reason }: CriterionProblem): string {
  return `${WHAT[kind](ref, key ?? '', pattern)}: ${reason}`;
}

const WHAT: Readonly<Record<CriterionProblem['kind'], (ref: string, key: string, pattern: unknown) => string>> = {
  render: (_, key, pattern) => `Failed to render pattern value "${shortened(String(pattern))}" for key "${key}"`,
  key: (_, key) => `Failed transforming criteria key ${key}`,
  operator: (ref) => `There might be a problem with the criteria in rule ${ref}`,
};

const LONGEST_PATTERN = 1000;
const shortened = (text: string): string =>
  text.length > LONGEST_PATTERN ? `${text.slice(0, LONGEST_PATTERN)}…` : text;

/** Why a key cannot be looked up in a payload: it is invalid, or has too many matches. */
interface NotLookedUp {
  readonly reason: string;
}

type KeyReader = (document: CriteriaDocument) => LookedUp;

/** A payload for testing rules. */
export interface RuleEvent {
  /** The document in which keys of criteria are looked up. */
  readonly document: CriteriaDocument;
  /** Whether the payload is empty, so that no criteria match. */
  readonly isEmpty: boolean;
  /** Looks up a key once, however many rules use it. @param read the reader of this key, if there is one */
  lookUp(key: string, read?: KeyReader): LookedUp | NotLookedUp;
}

export function ruleEvent(payload: unknown): RuleEvent {
  const document = { trigger: payload };
  const known = new Map<string, LookedUp | NotLookedUp>();
  return {
    document,
    isEmpty: isEmptyPayload(payload),
    lookUp(key, read = (from) => lookUp(from, key)) {
      const before = known.get(key);
      if (before) return before;
      const found = attempt(document, read);
      known.set(key, found);
      return found;
    },
  };
}

function attempt(document: CriteriaDocument, read: KeyReader): LookedUp | NotLookedUp {
  try {
    return read(document);
  } catch (thrown) {
    return { reason: messageOf(thrown) };
  }
}
