import type { ErrorEntry } from './catalogue';

/** Values against the definitions of parameters, and those definitions themselves. `{text}` is a validator's message. */
export const parameterErrors = {
  'schema.violated': { status: 400, template: '{text}' },
  'schema.mask': {
    status: 400,
    template: '"{field}" is secret: expected its value, got the mask "{mask}", and no earlier value is there to keep.',
  },
  'schema.invalid': { status: 400, template: 'Invalid schema at {path}: {reason}' },
  'schema.too-deep': { status: 400, template: 'The value, or the schema it is checked against, is nested too deeply.' },
  'schema.too-costly': {
    status: 400,
    template: 'The value cannot be checked: the alternatives of its schema refer to each other too often.',
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
  // The first two sentences are what clients know; the third tells them which parameter it is.
  'parameter.not-text': {
    status: 400,
    template: 'Value "{value}" must either be a string or None. Got "{type}". The parameter is "{name}".',
  },
  'parameter.cast': {
    status: 400,
    template:
      'Failed to cast value "{value}" (type: {valueType}) for parameter "{name}" of type "{type}": {cause}. Perhaps the value is of an invalid type?',
  },
} as const satisfies Record<string, ErrorEntry>;
