import { isPlainObject } from '@switchyard/base';
import { compileEntries } from './compile-criterion';
import type { CriterionEnv } from './criterion';

/**
 * Makes the test of a rule's criteria on the payload of a trigger: every entry has to hold, and they are asked in order up to
 * the first that does not. Without entries everything matches; with some, an empty payload never does.
 * @throws fault `criteria.unknown-operator`
 */
export function compileCriteria(criteria: Readonly<Record<string, unknown>> | null | undefined) {
  const entries = compileEntries(criteria ?? {});
  return (payload: unknown, env: CriterionEnv): boolean =>
    entries.length === 0 ||
    (!isEmptyPayload(payload) && entries.every((entry) => entry.test({ trigger: payload }, env)));
}

/** Criteria never hold for such a payload. */
export const isEmptyPayload = (payload: unknown): boolean =>
  payload === null ||
  payload === undefined ||
  payload === '' ||
  (Array.isArray(payload) && payload.length === 0) ||
  (isPlainObject(payload) && Object.keys(payload).length === 0);
