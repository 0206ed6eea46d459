import { isPlainObject } from '@switchyard/base';
import { MASK } from '@switchyard/model';

/**
 * What a client sends back of what it was shown: where a mask stands and a secret stood before, the secret stays.
 * @param before what is stored
 */
export function unmasked(given: unknown, before: unknown): unknown {
  // A secret that is null was shown as a mask, too.
  if (given === MASK) return before === undefined ? given : before;
  if (Array.isArray(given))
    return given.map((item, index) => unmasked(item, Array.isArray(before) ? before[index] : undefined));
  if (!isPlainObject(given)) return given;
  const known = isPlainObject(before) ? before : {};
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      unmasked(value, Object.hasOwn(known, name) ? known[name] : undefined),
    ]),
  );
}
