import { checkConfigSchema } from '../../src';

describe('a configuration schema', () => {
  it.each<[string, unknown]>([
    ['plain attributes', { region: { type: 'string', enum: ['north'], default: 'north', required: true } }],
    ['secrets', { token: { type: 'string', secret: true } }],
    ['several types', { port: { type: ['integer', 'null'] } }],
    ['objects', { mirror: { type: 'object', properties: { key: { type: 'string', secret: true, required: true } } } }],
    ['patterns', { hosts: { type: 'object', patternProperties: { '^h': { type: 'string' } } } }],
    ['lists', { labels: { type: 'array', items: { type: 'string' } } }],
    ['words that it does not know', { region: { type: 'string', shown_as: 'map' } }],
  ])('may have %s', (_, schema) => {
    expect(() => checkConfigSchema(schema)).not.toThrow();
  });

  it.each<[string, unknown, string]>([
    ['is not an object', ['a'], "['a'] is not of type 'object'"],
    ['has an attribute without a schema', { a: 'string' }, "'string' is not of type 'object'"],
    ['has an attribute of a bad name', { 'a-b': {} }, "'a-b' does not match any of the regexes: '^\\\\w+$'"],
    ['has an unknown type', { a: { type: 'text' } }, "'text' is not valid under any of the given schemas"],
    [
      'has an unknown type inside',
      { a: { type: 'object', properties: { b: { type: 'text' } } } },
      "'text' is not valid",
    ],
    ['has an invalid value for secret', { a: { secret: 'yes' } }, "'yes' is not of type 'boolean'"],
    ['has a bad pattern', { a: { pattern: '(' } }, 'Invalid regular expression "("'],
  ])('is rejected when it %s', (_, schema, text) => {
    expect(() => checkConfigSchema(schema)).toThrow(text);
  });
});
