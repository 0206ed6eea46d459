import type { RecordChange } from './filter';

type Fields = Record<string, unknown>;

/** Applies a change to a record without changing the original. For changes that are known to have been stored. */
export function changedRecord<T extends { _id: string }>(
  record: T,
  { set = {}, unset = [], push = {}, pushAll = {}, pull = {}, inc = {} }: RecordChange<T>,
): T {
  const gone: readonly string[] = unset;
  // Deleting members makes objects slow.
  const changed: Fields = {};
  for (const field of Object.keys(record)) if (!gone.includes(field)) changed[field] = (record as Fields)[field];
  for (const [path, value] of Object.entries(set)) ownerOf(changed, path)[lastOf(path)] = value;
  for (const path of gone.filter((each) => each.includes('.'))) delete ownerOf(changed, path)[lastOf(path)];
  for (const [field, value] of Object.entries(push)) changed[field] = [...listIn(changed, field), value];
  for (const [field, values] of Object.entries(pushAll as Record<string, readonly unknown[]>))
    changed[field] = [...listIn(changed, field), ...values];
  for (const [field, value] of Object.entries(pull))
    changed[field] = listIn(changed, field).filter((item) => item !== value);
  for (const [field, by] of Object.entries(inc as Record<string, number>))
    changed[field] = ((changed[field] ?? 0) as number) + by;
  return changed as T;
}

const listIn = (fields: Fields, field: string): readonly unknown[] => (fields[field] ?? []) as readonly unknown[];

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** The object that contains the last part of a dotted path. Copies the objects on the way, because the original shares them. */
function ownerOf(fields: Fields, path: string): Fields {
  let owner = fields;
  for (const name of path.split('.').slice(0, -1)) owner = owner[name] = { ...(owner[name] as Fields | undefined) };
  return owner;
}
