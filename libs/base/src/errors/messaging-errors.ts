import type { ErrorEntry } from './catalogue';

export const messagingErrors = {
  'messaging.unavailable': { status: 503, template: 'The message broker cannot be reached: {text}' },
  'messaging.closed': {
    status: 503,
    template: 'The connection to the message broker has been closed by this process.',
  },
  'messaging.invalid-message': { status: 500, template: 'A message of type "{type}" is not valid: {text}' },
  'messaging.too-large': {
    status: 400,
    template: 'A message of type "{type}" has {size} bytes; at most {limit} are allowed.',
  },
  'messaging.invalid-pool': {
    status: 400,
    template: 'The runner pool "{pool}" is not valid: up to 64 letters, digits, "_" and "-" are expected.',
  },
} as const satisfies Record<string, ErrorEntry>;
