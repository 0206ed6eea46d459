import type { ErrorEntry } from './catalogue';

export const policyErrors = {
  'policy.type-unknown': { status: 400, template: 'Referenced policy_type "{ref}" doesnt exist' },
  'policy.reference': { status: 400, template: 'Invalid reference: {ref}' },
  'policy.type-not-found': { status: 404, template: 'PolicyType with a reference of id "{id}" not found.' },
  'policy.taken': {
    status: 409,
    template: 'The action "{resource}" has a policy of the type "{type}" already: "{ref}"',
  },
} as const satisfies Record<string, ErrorEntry>;
