import { isPlainObject } from '@switchyard/base';
import { compileEntries } from './compile-criterion';
import type { CriterionEnv } from './criterion';

/**
 * Compiles the criteria of a rule to a test of trigger payloads. All entries must hold; they are tested in order until one does
 * not. Without entries, everything matches; with entries, an empty payload never does.
 * @throws fault `criteria.unknown-operator`
 */
export function compileCriteria(criteria: Readonly<Record<string, unknown>> | null | undefined) {
  const entries = compileEntries(criteria ?? {});
  return (payload: unknown, env: CriterionEnv): boolean =>
    entries.length === 0 ||
    (!isEmptyPayload(payload) && entries.every((entry) => entry.test({ trigger: payload }, env)));
}

/** Criteria never match such a payload. */
export const isEmptyPayload = (payload: unknown): boolean =>
  payload === null ||
  payload === undefined ||
  payload === '' ||
  (Array.isArray(payload) && payload.length === 0) ||
  (isPlainObject(payload) && Object.keys(payload).length === 0);
