const TEXT = { type: 'string' };
/** Where the reference fills in a default, null is as good as nothing. */
const OPTIONAL_TEXT = { type: ['string', 'null'] };
const OPTIONAL_MAP = { type: ['object', 'null'] };

const NOTIFICATION = {
  type: 'object',
  properties: {
    message: TEXT,
    data: { type: 'object' },
    routes: { type: 'array' },
    channels: { type: 'array' },
  },
  additionalProperties: false,
};

const NODE = {
  type: 'object',
  required: ['name', 'ref'],
  properties: {
    name: { type: 'string', minLength: 1 },
    ref: { type: 'string', minLength: 1 },
    params: OPTIONAL_MAP,
    parameters: OPTIONAL_MAP,
    'on-success': OPTIONAL_TEXT,
    'on-failure': OPTIONAL_TEXT,
    publish: { ...OPTIONAL_MAP, patternProperties: { '^\\w+$': {} }, additionalProperties: false },
    notify: {
      type: ['object', 'null'],
      properties: { 'on-complete': NOTIFICATION, 'on-success': NOTIFICATION, 'on-failure': NOTIFICATION },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

/** Draft 4. Every node is checked, where the reference checks the first. */
export const CHAIN_SCHEMA = {
  type: 'object',
  required: ['chain'],
  properties: {
    chain: { type: 'array', items: NODE },
    default: OPTIONAL_TEXT,
    vars: { ...OPTIONAL_MAP, patternProperties: { '^\\w+$': {} }, additionalProperties: false },
  },
  additionalProperties: false,
} as const;
