import { ITEMS_PATTERN } from '../spec/shorthand/items-text';
import { RETRY } from './retry-schema';
import { AMOUNT, POSITIVE_AMOUNT, SINGLE_KEY_MAP, TEXT, TEXT_LIST, uniqueList } from './schema-parts';

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
    retry: RETRY,
    timeout: POSITIVE_AMOUNT,
    rollback: TEXT,
    next: { type: 'array', items: TRANSITION },
  },
  additionalProperties: false,
};

/**
 * Draft 4, over a raw definition in which the text form of `with` is written out. `timeout`, `rollback`, `finally` and the
 * growing retry delay are additions to the reference's language.
 * A version is not required, since the reference runs definitions without one.
 */
export const WORKFLOW_SCHEMA = {
  type: 'object',
  required: ['tasks'],
  properties: {
    version: { enum: ['1.0', 1] },
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
