import { isPlainObject, fault } from '@switchyard/base';
import type { ValuePath, Schema } from '../schema';
import { type Secret, extractSecrets } from './extract-secrets';
import { MASK } from './mask';

/** Puts secrets back where `extractSecrets` found them. Skips paths that no longer exist. */
export function restoreSecrets(masked: unknown, secrets: readonly Secret[]): unknown {
  return secrets.reduce((value, secret) => put(value, secret.path, secret.value), masked);
}

function put(target: unknown, path: Secret['path'], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(target) && typeof step === 'number' && step < target.length) {
    return target.with(step, put(target[step], rest, value));
  }
  if (!isPlainObject(target) || !Object.hasOwn(target, step)) return target;
  return { ...target, [step]: put(target[step], rest, value) };
}

/**
 * Rejects masks in values from users: a mask replaces a secret that was shown, and must not be stored as the secret.
 * @param under path of the value, for the message
 * @throws Fault `schema.mask`
 */
export function refuseMasks(value: unknown, schema: Schema, under: ValuePath = []): void {
  const found = extractSecrets(value, schema).secrets.find((secret) => secret.value === MASK);
  if (!found) return;
  const field = [...under, ...found.path].join('.');
  throw fault('schema.mask', { field, mask: MASK }, { extra: { field } });
}
