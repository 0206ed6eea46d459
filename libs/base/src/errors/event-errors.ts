import type { ErrorEntry } from './catalogue';

/** Rules, their criteria, and action aliases. */
export const eventErrors = {
  'criteria.not-an-object': { status: 400, template: 'Criteria have to be an object, got {type}' },
  'criteria.entry': {
    status: 400,
    template: 'For field: {field}, expected an object with "type" and "pattern", got {type}',
  },
  'criteria.no-operator': { status: 400, template: 'Operator not specified for field: {field}' },
  'criteria.operator-not-allowed': {
    status: 400,
    template: 'For field: {field}, operator {operator} not in list of allowed operators: {allowed}',
  },
  'criteria.no-pattern': {
    status: 400,
    template: 'For field: {field}, no pattern specified for operator {operator}',
  },
  'criteria.unknown-operator': {
    status: 400,
    template: 'There is no criteria operator "{operator}"; the operators are {known}',
  },
  'alias.invalid-format': { status: 400, template: 'Invalid alias format "{format}": {reason}' },
} as const satisfies Record<string, ErrorEntry>;
