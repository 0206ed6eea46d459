import { minusSets } from '../run/collection-operators';
import { define, type Overload } from '../run/overload';
import { expanded } from '../values/expanded';
import { asSet, isSetLike } from '../values/kinds';
import { SetValue } from '../values/set-value';
import type { View } from '../values/view';

type Items = Iterable<unknown>;
type AnySet = SetValue | View;

/** The part of the module `collections` that deals with sets. */
export const setFunctions: readonly Overload[] = [
  define('isSet', 'F', 'arg:any', isSetLike),
  define('set', 'F', '*args:any', (args: readonly unknown[]) => new SetValue(expanded(args))),
  define('toSet', 'M', 'collection:iter', (items: Items) => new SetValue(items)),
  define('union', 'M', 'left:set, right:set', (left: AnySet, right: AnySet) => new SetValue([...left, ...right])),
  define('intersect', 'M', 'left:set, right:set', (left: AnySet, right: AnySet) => {
    const other = asSet(right);
    return new SetValue([...left].filter((member) => other.has(member)));
  }),
  define('difference', 'M', 'left:set, right:set', minusSets),
  define('symmetricDifference', 'M', 'left:set, right:set', (left: AnySet, right: AnySet) =>
    new SetValue([...(minusSets(left, right) ?? []), ...(minusSets(right, left) ?? [])])),
  define('add', 'M', 'set:set, *values:any', (left: AnySet, values: Items) => new SetValue([...left, ...values])),
  define('remove', 'M', 'set:set, *values:any', (left: AnySet, values: Items) => minusSets(left, new SetValue(values))),
]; // prettier-ignore
