import type { Schema } from '@switchyard/model';
import { ITEMS_PATTERN } from '../spec/shorthand/items-text';

const TEXT = { type: 'string', minLength: 1 } as const;

/** A whole number, or a text that evaluates to one. */
const AMOUNT = { oneOf: [TEXT, { type: 'integer', minimum: 0 }] } as const;

/** A number above zero, or a text that evaluates to one. */
const POSITIVE_AMOUNT = {
  oneOf: [TEXT, { type: 'number', minimum: 0, exclusiveMinimum: true }],
} as const;

const SINGLE_KEY_MAP = { type: 'object', minProperties: 1, maxProperties: 1 } as const;

const uniqueList = (items: Schema): Schema => ({ type: 'array', items, minItems: 1, uniqueItems: true });

const TEXT_LIST = uniqueList(TEXT);

const SECONDS = { oneOf: [TEXT, { type: 'number', minimum: 0 }] };

const GROWING_DELAY = {
  type: 'object',
  required: ['initial', 'factor'],
  properties: {
    initial: SECONDS,
    factor: { oneOf: [TEXT, { type: 'number', minimum: 1 }] },
    max: SECONDS,
  },
  additionalProperties: false,
};

const RETRY_SCHEMA = {
  type: 'object',
  required: ['count'],
  properties: {
    count: AMOUNT,
    delay: { oneOf: [...AMOUNT.oneOf, GROWING_DELAY] },
    when: TEXT,
  },
  additionalProperties: false,
};

const MAP_LIST = uniqueList(SINGLE_KEY_MAP);

const TRANSITION = {
  type: 'object',
  minProperties: 1,
  properties: {
    when: TEXT,
    publish: { oneOf: [TEXT, MAP_LIST] },
    do: { oneOf: [TEXT, TEXT_LIST] },
  },
  additionalProperties: false,
};

const ITEMS = {
  type: 'object',
  required: ['items'],
  properties: {
    items: { type: 'string', minLength: 1, pattern: ITEMS_PATTERN },
    concurrency: { oneOf: [TEXT, { type: 'integer', minimum: 0 }, { type: 'null' }] },
  },
  additionalProperties: false,
};

const TASK = {
  type: 'object',
  minProperties: 1,
  properties: {
    action: TEXT,
    input: { oneOf: [TEXT, { type: 'object', minProperties: 1 }] },
    delay: AMOUNT,
    join: { oneOf: [{ enum: ['all'] }, { type: 'integer', minimum: 0 }] },
    with: ITEMS,
    retry: RETRY_SCHEMA,
    timeout: POSITIVE_AMOUNT,
    rollback: TEXT,
    next: { type: 'array', items: TRANSITION },
  },
  additionalProperties: false,
};

/**
 * Draft 4, for a raw definition in which the text form of `with` is expanded. `timeout`, `rollback`, `finally` and the
 * growing retry delay are additions to the reference's language. A version is not required, since the reference runs
 * definitions without one.
 */
export const WORKFLOW_SCHEMA = {
  type: 'object',
  required: ['tasks'],
  properties: {
    version: { enum: ['1.0', 1], anyOf: [TEXT, { type: 'number', minimum: 0 }] },
    name: TEXT,
    description: TEXT,
    tags: TEXT_LIST,
    input: uniqueList({ oneOf: [TEXT, SINGLE_KEY_MAP] }),
    vars: MAP_LIST,
    tasks: {
      type: 'object',
      minProperties: 1,
      patternProperties: { '^\\w+$': TASK },
      additionalProperties: false,
    },
    output: MAP_LIST,
    timeout: POSITIVE_AMOUNT,
    finally: TEXT_LIST,
  },
  additionalProperties: false,
} as const;
