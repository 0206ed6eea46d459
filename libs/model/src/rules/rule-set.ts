import type { CompiledRule } from './compile-rule';
import { indexed, type Equality } from './equalities';
import type { RuleEvent } from './event';

/** The rules of one trigger. */
export interface RuleSet {
  readonly rules: readonly CompiledRule[];
  /** How many of them are no backstops. */
  readonly standard: number;
  /** Those that may match an event, in their order: all but those whose equalities say that they cannot. */
  candidates(event: RuleEvent): readonly CompiledRule[];
}

/** Below this, an index costs more than it saves. */
const FEW = 4;

/**
 * Puts rules into groups by the value that a key has to have. Each rule is in one group, of the key that most rules share;
 * an event is looked up once for each key, however many rules there are.
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
  // The rules themselves say what is wrong with the key for this payload.
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
