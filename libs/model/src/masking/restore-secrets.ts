import { isPlainObject } from '@switchyard/base';
import type { Secret } from './extract-secrets';

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
