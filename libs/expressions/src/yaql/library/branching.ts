import type { Lambda, RuleArgument } from '../run/frame';
import { define, type Overload } from '../run/overload';
import { Lazy } from '../values/lazy';
import { truth } from '../values/truth';

export const branchingFunctions: readonly Overload[] = [
  define('switch', 'F', '*args:rule', firstThatHolds, { takesRules: true }),
  define('selectCase', 'F', '*args:fn', (cases: readonly Lambda[]) => {
    const index = cases.findIndex((each) => truth(each.call()));
    return index < 0 ? cases.length : index;
  }),
  define('selectAllCases', 'F', '*args:fn', (cases: readonly Lambda[]) => new Lazy(allThatHold(cases))),
  define('examine', 'F', '*args:fn', (cases: readonly Lambda[]) => new Lazy(examined(cases))),
  define('switchCase', 'M', 'case:count, *args:fn', (index: number, cases: readonly Lambda[]) => {
    const chosen = cases[index] ?? cases.at(-1);
    return chosen === undefined ? null : chosen.call();
  }),
  define('coalesce', 'F', '*args:fn', (args: readonly Lambda[]) => {
    for (const each of args) {
      const value = each.call();
      if (value !== null) return value;
    }
    return null;
  }),
];

function firstThatHolds(rules: readonly RuleArgument[]): unknown {
  for (const { key, value } of rules) if (truth(key.call())) return value.call();
  return null;
}

function* allThatHold(cases: readonly Lambda[]): Generator<unknown> {
  for (const [index, each] of cases.entries()) if (truth(each.call())) yield index;
}

function* examined(cases: readonly Lambda[]): Generator<unknown> {
  for (const each of cases) yield truth(each.call());
}
