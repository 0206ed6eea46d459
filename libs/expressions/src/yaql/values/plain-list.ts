/**
 * A list of the kind that `split`, `insert` and a few others make. It looks like any other list, but never equals one of
 * the usual kind (a plain array): in the reference one is mutable and the other is not.
 */
export class PlainList extends Array<unknown> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

export function plainList(items: Iterable<unknown>): PlainList {
  const result = new PlainList();
  for (const item of items) result.push(item);
  return result;
}

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
