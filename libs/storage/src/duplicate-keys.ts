import { fault, type Fault } from '@switchyard/base';
import { MASK } from '@switchyard/model';

const DUPLICATE_KEY = 11000;

/** Whether a unique index rejected a write. */
export const isDuplicateKey = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { code?: unknown }).code === DUPLICATE_KEY;

/** Converts a rejection by a unique index to a fault that names the fields; returns any other error unchanged. */
export const duplicateOr = (error: unknown): unknown =>
  isDuplicateKey(error) ? fault('storage.duplicate', { text: refusedText(error) }, { cause: error }) : error;

/** The fault for a key that already exists. It is the same for every driver, whichever index detects it first. */
export const takenKey = (field: string, value: string, by: string, cause: unknown): Fault =>
  fault('storage.duplicate', { text: fieldText([field, value]) }, { cause, extra: { 'conflict-id': by } });

function refusedText(error: unknown): string {
  const { keyValue } = error as { keyValue?: Record<string, unknown> };
  return keyValue ? Object.entries(keyValue).map(fieldText).join(', ') : 'unique index';
}

const fieldText = ([field, value]: [field: string, value: unknown]): string =>
  `${field}: ${/_hash$/.test(field) ? MASK : JSON.stringify(value)}`;
