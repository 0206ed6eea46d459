import { isPlainObject } from '@switchyard/base';

/** Which key file sealed a value. */
export type Ring = 'records' | 'datastore';

/** Where records have encrypted values. */
export interface SealedPlace {
  readonly collection: string;
  readonly path: readonly string[];
  readonly ring: Ring;
  /** The place has a pointer to a blob, whose whole text is encrypted. */
  readonly blob?: true;
  /** A field that is true in records whose value is encrypted. Default: every text is. */
  readonly flag?: string;
}

/** Every place where the store has encrypted values. The doctor opens all of them, and a rotation of keys encrypts them again. */
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

/** What a record has at a place; undefined if nothing there is encrypted. */
export function sealedValue(record: Readonly<Record<string, unknown>>, { path, flag, blob }: SealedPlace): unknown {
  if (flag !== undefined && record[flag] !== true) return undefined;
  const value = path.reduce<unknown>((inner, name) => (isPlainObject(inner) ? inner[name] : undefined), record);
  return typeof value === (blob ? 'object' : 'string') ? (value ?? undefined) : undefined;
}
