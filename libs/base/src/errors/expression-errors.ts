import type { ErrorEntry } from './catalogue';

export const expressionErrors = {
  'expression.dependency-unsatisfied': { status: 400, template: 'Dependency unsatisfied in variable "{name}"' },
  'expression.dependency-cycle': {
    status: 400,
    template: 'Cyclic dependency found in the following variables: {names}. Likely the variable is referencing itself',
  },
  'expression.too-much': { status: 400, template: 'The templates of the parameters cannot be read: {cause}' },
  'expression.busy': { status: 503, template: 'Too many slow expressions are waiting to be evaluated. Try again.' },
  'expression.render-failed': { status: 400, template: 'Failed to render parameter "{name}": {cause}' },
} as const satisfies Record<string, ErrorEntry>;
