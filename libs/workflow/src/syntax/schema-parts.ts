import type { Schema } from '@switchyard/model';

export const TEXT = { type: 'string', minLength: 1 } as const;

/** A whole number, or a text that gives one when it is evaluated. */
export const AMOUNT = { oneOf: [TEXT, { type: 'integer', minimum: 0 }] } as const;

/** A number above zero, or a text that gives one. */
export const POSITIVE_AMOUNT = {
  oneOf: [TEXT, { type: 'number', minimum: 0, exclusiveMinimum: true }],
} as const;

export const SINGLE_KEY_MAP = { type: 'object', minProperties: 1, maxProperties: 1 } as const;

export const uniqueList = (items: Schema): Schema => ({ type: 'array', items, minItems: 1, uniqueItems: true });

export const TEXT_LIST = uniqueList(TEXT);
