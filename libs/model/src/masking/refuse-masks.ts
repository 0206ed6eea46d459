import { fault } from '@switchyard/base';
import type { Path, Schema } from '../schema';
import { extractSecrets } from './extract-secrets';
import { MASK } from './mask';

/**
 * A mask stands for a secret that somebody was shown; stored in its place, it would pass for the secret.
 * @param under where the value stands, for the message
 * @throws Fault `schema.mask`
 */
export function refuseMasks(value: unknown, schema: Schema, under: Path = []): void {
  const found = extractSecrets(value, schema).secrets.find((secret) => secret.value === MASK);
  if (!found) return;
  const field = [...under, ...found.path].join('.');
  throw fault('schema.mask', { field, mask: MASK }, { extra: { field } });
}
