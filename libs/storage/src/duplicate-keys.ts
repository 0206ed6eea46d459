import { fault, type Fault } from '@switchyard/base';
import { MASK } from '@switchyard/model';

const DUPLICATE_KEY = 11000;

/** True when a unique index refused a write. */
export const isDuplicateKey = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { code?: unknown }).code === DUPLICATE_KEY;

/** The fault for what a unique index refused, naming its fields; any other error as it is. */
export const duplicateOr = (error: unknown): unknown =>
  isDuplicateKey(error) ? fault('storage.duplicate', { text: refusedText(error) }, { cause: error }) : error;

/** The fault for a key that another record has: the same for every driver, whichever index it asked first. */
export const takenKey = (field: string, value: string, by: string, cause: unknown): Fault =>
  fault('storage.duplicate', { text: fieldText([field, value]) }, { cause, extra: { 'conflict-id': by } });

function refusedText(error: unknown): string {
  const { keyValue } = error as { keyValue?: Record<string, unknown> };
  return keyValue ? Object.entries(keyValue).map(fieldText).join(', ') : 'unique index';
}

const fieldText = ([field, value]: [field: string, value: unknown]): string =>
  `${field}: ${/_hash$/.test(field) ? MASK : JSON.stringify(value)}`;
