import type { ErrorEntry } from './catalogue';

export const inquiryErrors = {
  'inquiry.none': { status: 400, template: 'Action execution "{id}" is not an inquiry.' },
  'inquiry.timed-out': { status: 400, template: 'Inquiry "{id}" timed out and cannot be responded to.' },
  'inquiry.answered': { status: 400, template: 'Inquiry "{id}" has already been responded to.' },
  'inquiry.over': { status: 400, template: 'Inquiry "{id}" is {status} and cannot be responded to.' },
  'inquiry.not-asked-yet': { status: 409, template: 'Inquiry "{id}" has not been asked yet. Try again.' },
  'inquiry.forbidden': {
    status: 403,
    template: 'User "{user}" does not have permission to respond to inquiry "{id}".',
  },
  'inquiry.response': {
    status: 400,
    template: 'Response for inquiry "{id}" did not pass schema validation. {cause}',
  },
} as const satisfies Record<string, ErrorEntry>;
