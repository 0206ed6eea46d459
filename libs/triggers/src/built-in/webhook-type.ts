import { WEBHOOK } from '../names';
import type { BuiltInType } from './built-in-type';

export const webhookType: BuiltInType = {
  ref: WEBHOOK,
  description: 'A request has come in at a URL of the API.',
  payload_schema: {
    type: 'object',
    properties: {
      headers: { type: 'object' },
      headers_lower: { type: 'object' },
      body: { anyOf: [{ type: 'array' }, { type: 'object' }] },
    },
  },
  parameters_schema: {
    type: 'object',
    properties: { url: { type: 'string', required: true } },
    additionalProperties: false,
  },
};
