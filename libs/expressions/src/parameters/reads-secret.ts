import { isPlainObject } from '@switchyard/base';

/** Steps down to a secret in a value. Without any, the whole value is one. */
export type SecretPath = readonly (string | number)[];

/** Whether who takes these steps down into a value gets a secret, something in it, or something that it lies in. */
export function readsSecret(steps: SecretPath, value: unknown, secrets: readonly SecretPath[]): boolean {
  if (secrets.length === 0) return false;
  const path = presentSteps(value, steps);
  return secrets.some((secret) => overlap(path, secret));
}

/** What is not there may be a method, which sees all of what it belongs to. */
function presentSteps(value: unknown, steps: SecretPath): SecretPath {
  let at = value;
  const missing = steps.findIndex((step) => {
    if (!(Array.isArray(at) || isPlainObject(at)) || !Object.hasOwn(at, step)) return true;
    at = (at as Record<string | number, unknown>)[step];
    return false;
  });
  return missing < 0 ? steps : steps.slice(0, missing);
}

const overlap = (a: SecretPath, b: SecretPath): boolean =>
  a.slice(0, b.length).every((step, index) => String(step) === String(b[index]));
