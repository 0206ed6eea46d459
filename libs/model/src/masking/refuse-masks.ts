import { fault } from '@switchyard/base';
import type { ValuePath, Schema } from '../schema';
import { extractSecrets } from './extract-secrets';
import { MASK } from './mask';

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
