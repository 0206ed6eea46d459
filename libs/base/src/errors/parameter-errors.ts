import type { CatalogueEntry } from './catalogue';

/** Parameter values, parameter definitions, and expressions in parameters. `{text}` is the message of a validator. */
export const parameterErrors = {
  'schema.violated': { status: 400, template: '{text}' },
  'schema.mask': {
    status: 400,
    template: '"{field}" is secret: expected its value, got the mask "{mask}", and there is no stored value to keep.',
  },
  'schema.invalid': { status: 400, template: 'Invalid schema at {path}: {reason}' },
  'schema.too-deep': { status: 400, template: 'The value, or the schema it is checked against, is nested too deeply.' },
  'schema.too-costly': {
    status: 400,
    template: 'The value cannot be checked: the alternatives of its schema refer to each other too many times.',
  },
  'regex.invalid': { status: 400, template: 'Invalid regular expression "{pattern}": {reason}' },
  'regex.too-slow': { status: 400, template: 'The regular expression "{pattern}" did not finish within {limitMs} ms.' },
  'parameter.definition': { status: 400, template: '{text}' },
  'parameter.position-taken': {
    status: 400,
    template: 'Parameters {name} and {other} have same position {position}. Position values have to be unique.',
  },
  'parameter.positions-apart': {
    status: 400,
    template: 'Positions supplied {positions} for parameters are not contiguous.',
  },
  'parameter.immutable-without-default': { status: 400, template: 'Immutable param {name} requires a default value.' },
  'parameter.immutable-in-runner': {
    status: 400,
    template: 'Param {name} is declared immutable in runner. Cannot override in action.',
  },
  'parameter.attribute-override': {
    status: 400,
    template: 'The attribute "{attribute}" for the runner parameter "{name}" in action "{ref}" cannot be overridden.',
  },
  'parameter.immutable-override': {
    status: 400,
    template: 'Override of immutable parameter(s) {names} is unsupported.',
  },
  // Clients of StackStorm rely on the first two sentences; the third names the parameter.
  'parameter.not-text': {
    status: 400,
    template: 'Value "{value}" must either be a string or None. Got "{type}". The parameter is "{name}".',
  },
  'parameter.cast': {
    status: 400,
    template:
      'Failed to cast value "{value}" (type: {valueType}) for parameter "{name}" of type "{type}": {cause}. Perhaps the value is of an invalid type?',
  },
  'expression.dependency-unsatisfied': { status: 400, template: 'Dependency unsatisfied in variable "{name}"' },
  'expression.dependency-cycle': {
    status: 400,
    template: 'Cyclic dependency found in the following variables: {names}. Likely the variable is referencing itself',
  },
  'expression.too-much': { status: 400, template: 'The templates of the parameters cannot be read: {cause}' },
  'expression.busy': { status: 503, template: 'Too many slow expressions are waiting to be evaluated. Try again.' },
  'expression.render-failed': { status: 400, template: 'Failed to render parameter "{name}": {cause}' },
} as const satisfies Record<string, CatalogueEntry>;
