import type { ErrorEntry } from './catalogue';

export const generalErrors = {
  internal: { status: 500, template: 'Internal Server Error' },
  'general.invalid-value': { status: 400, template: '{text}' },
  'general.invalid-state': { status: 409, template: '{text}' },
  'general.unavailable': { status: 503, template: '{text}' },
  'data.limit': { status: 422, template: '{text}' },
  'data.key': { status: 422, template: '{text}' },
} as const satisfies Record<string, ErrorEntry>;
