/**
 * The data with the prototypes of this realm: what comes from a thread has those of the realm that Node.js was started in, which
 * is another one where code runs in a context of its own, as under a test runner. Otherwise the data themselves.
 */
export const ofThisRealm = <T>(data: T): T =>
  typeof data !== 'object' || data === null || data instanceof Object ? data : (copied(data, new Map()) as T);

/** What is shared in it stays shared. */
function copied(data: unknown, copies: Map<object, unknown>): unknown {
  if (typeof data !== 'object' || data === null) return data;
  const known = copies.get(data);
  if (known !== undefined) return known;
  if (Array.isArray(data)) {
    const list: unknown[] = [];
    copies.set(data, list);
    for (const item of data) list.push(copied(item, copies));
    return list;
  }
  const record: Record<string, unknown> = {};
  copies.set(data, record);
  for (const [key, value] of Object.entries(data)) {
    Object.defineProperty(record, key, {
      value: copied(value, copies),
      ...{ enumerable: true, configurable: true, writable: true },
    });
  }
  return record;
}
