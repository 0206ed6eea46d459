import { checkOutputSchema, checkParameterDefinitions } from '../../src';
import { localShell } from './runners';

const check = (parameters: unknown, plainNested = false): void =>
  checkParameterDefinitions(parameters, { actionRef: 'p.a', runnerParameters: localShell, plainNested });

describe('definitions that are rejected', () => {
  it.each<[string, unknown, string]>([
    ['an unknown type', { a: { type: 'strin' } }, "'strin' is not valid under any of the given schemas"],
    [
      'several types',
      { a: { type: ['string', 'null'] } },
      "['string', 'null'] is not valid under any of the given schemas",
    ],
    [
      'an unknown attribute',
      { a: { colour: 'red' } },
      "Additional properties are not allowed ('colour' was unexpected)",
    ],
    ['no object', { a: 'string' }, "'string' is not of type 'object'"],
    ['a bad name', { 'a-b': {} }, "'a-b' does not match any of the regexes: '^\\\\w+$'"],
    ['an empty name', { '': {} }, "'' does not match any of the regexes: '^\\\\w+$'"],
    ['a required that is not a boolean', { a: { required: 'yes' } }, "'yes' is not of type 'boolean'"],
    ['a secret that is not a boolean', { a: { secret: 1 } }, "1 is not of type 'boolean'"],
    ['an enum that is not a list', { a: { enum: 'x' } }, "'x' is not of type 'array'"],
    ['an empty enum', { a: { enum: [] } }, '[] should be non-empty'],
    ['a negative position', { a: { position: -1 } }, '-1 is less than the minimum of 0'],
    ['a position that is not a number', { a: { position: 'x' } }, "'x' is not of type 'number'"],
    [
      'an exclusive bound without a bound',
      { a: { exclusiveMinimum: true } },
      "'minimum' is a dependency of 'exclusiveMinimum'",
    ],
    ['a bad pattern', { a: { pattern: '(' } }, 'Invalid regular expression "("'],
    [
      'the same position twice',
      { a: { position: 1 }, b: { position: 1 } },
      'Parameters b and a have same position 1. Position values have to be unique.',
    ],
    [
      'a gap',
      { b: { position: 3 }, a: { position: 1 } },
      'Positions supplied [1, 3] for parameters are not contiguous.',
    ],
    ['a fraction', { a: { position: 0.5 } }, 'Positions supplied [0.5] for parameters are not contiguous.'],
    ['immutable without a default', { p: { immutable: true } }, 'Immutable param p requires a default value.'],
    ['so for a runner parameter', { cmd: { immutable: true } }, 'Immutable param cmd requires a default value.'],
    [
      'another type for a runner parameter',
      { sudo: { type: 'string' } },
      'The attribute "type" for the runner parameter "sudo" in action "p.a" cannot be overridden.',
    ],
    [
      'a runner parameter made secret',
      { cmd: { secret: true } },
      'The attribute "secret" for the runner parameter "cmd" in action "p.a" cannot be overridden.',
    ],
  ])('%s', (_, parameters, message) => {
    const thrown = expect.objectContaining({
      status: 400,
      message: expect.stringContaining(message) as string,
    }) as Error;
    expect(() => check(parameters)).toThrow(thrown);
  });

  it('accepts an immutable runner parameter that is immutable again', () => {
    const runnerParameters = { x: { type: 'string', default: 'a', immutable: true } };
    expect(() => checkParameterDefinitions({ x: { immutable: true } }, { actionRef: 'p.a', runnerParameters })).toThrow(
      'Param x is declared immutable in runner. Cannot override in action.',
    );
  });
});

it.each<[string, unknown]>([
  ['nothing', {}],
  ['an empty definition', { a: {} }],
  ['positions that begin anywhere', { a: { position: 2 }, b: { position: 3 } }],
  ['overrides of what may be overridden', { timeout: { required: true, default: 5, description: 'x', enum: [5] } }],
  ['an attribute with the same value as in the runner', { sudo: { type: 'boolean' } }],
  ['an immutable runner parameter that has a default', { sudo: { immutable: true } }],
  [
    'boolean required in nested schemas',
    { a: { type: 'object', properties: { k: { type: 'string', required: true } } } },
  ],
  ['lists of types, and required, in nested schemas', { a: { items: { type: ['string', 'null'], required: ['x'] } } }],
])('accepts %s', (_, parameters) => expect(() => check(parameters)).not.toThrow());

it('requires plain draft 4 inside a definition on request', () => {
  const nested = { a: { type: 'object', properties: { k: { type: 'string', required: true } } } };
  expect(() => check(nested, true)).toThrow("True is not of type 'array'");
});

describe('an output schema', () => {
  it.each<[string, unknown, string]>([
    ['an unknown type', { type: 'strin' }, "'strin' is not valid under any of the given schemas"],
    ['an unknown type of a property', { properties: { a: { type: 'strin' } } }, "'strin' is not valid under any"],
    ['a list of required properties', { required: ['a'] }, "['a'] is not of type 'boolean'"],
    ['a property without a schema', { properties: { a: 5 } }, "5 is not of type 'object'"],
  ])('must not have %s', (_, schema, message) => {
    expect(() => checkOutputSchema(schema)).toThrow(message);
  });

  it.each<[string, unknown]>([
    [
      'attributes of parameters',
      { type: 'object', properties: { a: { type: 'string', required: true, secret: true } } },
    ],
    ['unknown attributes', { a: { type: 'string' }, b: 5 }],
  ])('may have %s', (_, schema) => {
    expect(() => checkOutputSchema(schema)).not.toThrow();
  });
});
