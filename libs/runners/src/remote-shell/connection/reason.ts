import { messageOf } from '@switchyard/base';

/** Why something with a connection failed. A host with several addresses has a reason for each. */
export function reasonOf(thrown: unknown): string {
  const { errors } = thrown as { errors?: unknown };
  return Array.isArray(errors) && errors.length > 0 ? errors.map(messageOf).join('; ') : messageOf(thrown);
}
