import type { ItemsSpec } from '../spec/model';
import type { ItemSet } from '../state/items';
import type { Entry } from '../state/entries';
import type { Staged } from '../state/staging';
import type { Core } from './core';
import type { Surroundings } from './evaluator';
import { wholeNumber } from './numbers';
import { DefinitionProblem, typeProblem } from './problem';

/** The list of a with-items task: evaluated when the task is first handed out, and the same from then on (I8). */
export function frozenItems(core: Core, run: Staged | Entry, spec: ItemsSpec, around: Surroundings): ItemSet {
  const known = core.state.items.of(run.items);
  if (known !== undefined) return known;
  const values = core.evaluator.evaluate(spec.items, around);
  if (!Array.isArray(values)) throw typeProblem(`The value of "${spec.items}" is not type of list.`);
  if (core.state.head.made.items + values.length > core.limits.items) {
    throw new DefinitionProblem('LimitExceeded', `The workflow has more than ${core.limits.items} items.`);
  }
  const set = core.state.addItems(values, concurrencyOf(core, spec, around));
  core.state.staging.patch(run as Staged, { items: set.document.index });
  return set;
}

function concurrencyOf(core: Core, { concurrency }: ItemsSpec, around: Surroundings): number | null {
  const value = concurrency === null ? null : core.evaluator.evaluate(concurrency, around);
  if (value === null) return null;
  const count = wholeNumber(value);
  if (count === undefined) throw typeProblem('The value of task concurrency is not type of integer.');
  return Math.max(count, 1);
}

/** What `item()` gives: an item's parts by name where names were given. */
export function itemValue(names: readonly string[], value: unknown): unknown {
  const [first] = names;
  if (first === undefined) return value;
  if (names.length === 1) return { [first]: value };
  if (!Array.isArray(value)) return value;
  return Object.fromEntries(names.slice(0, value.length).map((name, at) => [name, value[at] as unknown]));
}
