import { isPlainObject } from '@switchyard/base';

/** The key file with the key of a value. */
export type Ring = 'records' | 'datastore';

/** A place in records with an encrypted value. */
export interface SealedPlace {
  readonly collection: string;
  readonly path: readonly string[];
  readonly ring: Ring;
  /** The place has a pointer to a blob; the whole text of the blob is encrypted. */
  readonly blob?: true;
  /** A field that is true in records with an encrypted value. Default: every text is encrypted. */
  readonly flag?: string;
}

/** All places in the store with encrypted values. The doctor opens all of them, and a rotation of keys encrypts them
 * again. */
export const SEALED: readonly SealedPlace[] = [
  { collection: 'configs', path: ['sealed'], ring: 'records' },
  { collection: 'rules', path: ['action', 'parameters'], ring: 'records' },
  { collection: 'action_aliases', path: ['immutable_parameters'], ring: 'records' },
  { collection: 'key_values', path: ['value'], ring: 'datastore', flag: 'secret' },
  { collection: 'executions', path: ['sealed_parameters'], ring: 'records' },
  { collection: 'executions', path: ['sealed_result'], ring: 'records' },
  { collection: 'workflows', path: ['sealed_secrets'], ring: 'records' },
  { collection: 'workflow_journal', path: ['step'], ring: 'records' },
  { collection: 'workflow_journal', path: ['step_blob'], ring: 'records', blob: true },
];

/** The collections with encrypted values, in the order of a rotation. */
export const SEALED_COLLECTIONS: readonly string[] = [...new Set(SEALED.map(({ collection }) => collection))];

/** The encrypted value of a record at a place; undefined if there is none. */
export function sealedValue(record: Readonly<Record<string, unknown>>, { path, flag, blob }: SealedPlace): unknown {
  if (flag !== undefined && record[flag] !== true) return undefined;
  const value = path.reduce<unknown>((inner, name) => (isPlainObject(inner) ? inner[name] : undefined), record);
  return typeof value === (blob ? 'object' : 'string') ? (value ?? undefined) : undefined;
}
