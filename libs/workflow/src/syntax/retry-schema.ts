import { AMOUNT, TEXT } from './schema-parts';

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

export const RETRY = {
  type: 'object',
  required: ['count'],
  properties: {
    count: AMOUNT,
    delay: { oneOf: [...AMOUNT.oneOf, GROWING_DELAY] },
    when: TEXT,
  },
  additionalProperties: false,
};
