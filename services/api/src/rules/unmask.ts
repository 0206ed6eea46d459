import { isPlainObject } from '@switchyard/base';
import { MASK } from '@switchyard/model';

/**
 * Restores secrets in a body that a client sends back: where the body has a mask and a secret is stored, the secret is
 * kept.
 * @param before the stored value
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
