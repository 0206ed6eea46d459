import { PassThrough } from 'node:stream';
import { askObject } from '../../src/forms/ask-object';
import { createLineReader } from '../../src/forms/line-reader';

/** Answers the questions for a schema with these lines. */
async function answered(schema: Record<string, unknown>, lines: readonly string[]): Promise<unknown> {
  const stdin = new PassThrough();
  stdin.end(lines.map((line) => `${line}\n`).join(''));
  const reader = createLineReader({ stdin: stdin as never, stderr: new PassThrough() as never });
  try {
    return await askObject(reader, schema);
  } finally {
    reader.close();
  }
}

const of = (properties: Record<string, unknown>) => ({ type: 'object', properties });
const required = true;

describe('a form', () => {
  it.each<[string, Record<string, unknown>, string[], unknown]>([
    ['a text', of({ a: { type: 'string' } }), ['hello'], { a: 'hello' }],
    ['an optional text', of({ a: { type: 'string' } }), [''], {}],
    ['a default', of({ a: { type: 'string', default: 'x' } }), [''], { a: 'x' }],
    ['a yes', of({ a: { type: 'boolean' } }), ['y'], { a: true }],
    ['a no', of({ a: { type: 'boolean' } }), ['nope'], { a: false }],
    ['a whole number', of({ a: { type: 'integer' } }), ['42'], { a: 42 }],
    ['a number', of({ a: { type: 'number' } }), ['1.5'], { a: 1.5 }],
    ['a choice by its number', of({ a: { type: 'string', enum: ['red', 'blue'] } }), ['1'], { a: 'blue' }],
    ['a choice by its name', of({ a: { enum: ['red', 'blue'] } }), ['red'], { a: 'red' }],
    ['several choices', of({ a: { type: 'array', items: { enum: ['x', 'y', 'z'] } } }), ['0, z'], { a: ['x', 'z'] }],
    ['a list', of({ a: { type: 'array', items: { type: 'integer' } } }), ['1,2'], { a: [1, 2] }],
    [
      'an object',
      of({ o: of({ a: { type: 'string' }, b: { type: 'integer' } }) }),
      ['x', '2'],
      { o: { a: 'x', b: 2 } },
    ],
    [
      'a list of objects',
      of({ l: { type: 'array', items: of({ a: { type: 'string' } }) } }),
      ['yes', 'x', 'yes', 'y', ''],
      { l: [{ a: 'x' }, { a: 'y' }] },
    ],
    ['a secret', of({ a: { type: 'string', secret: true } }), ['hidden'], { a: 'hidden' }],
  ])('asks for %s', async (_, schema, lines, expected) => {
    expect(await answered(schema, lines)).toEqual(expected);
  });

  it.each<[string, Record<string, unknown>, string[], unknown]>([
    ['a required answer is empty', of({ a: { type: 'string', required } }), ['', 'x'], { a: 'x' }],
    [
      'what the list requires is left out',
      { ...of({ a: { type: 'string' } }), required: ['a'] },
      ['', 'x'],
      { a: 'x' },
    ],
    ['it is not a number', of({ a: { type: 'integer' } }), ['many', '3'], { a: 3 }],
    ['it is neither yes nor no', of({ a: { type: 'boolean' } }), ['maybe', 'yes'], { a: true }],
    ['it is not one of the choices', of({ a: { enum: ['x'] } }), ['7', 'x'], { a: 'x' }],
    ['it does not fit the schema', of({ a: { type: 'string', minLength: 3 } }), ['ab', 'abc'], { a: 'abc' }],
  ])('asks again when %s', async (_, schema, lines, expected) => {
    expect(await answered(schema, lines)).toEqual(expected);
  });

  it('reports an input that ends before the last question', async () => {
    await expect(answered(of({ a: { type: 'string', required } }), [''])).rejects.toThrow('The input ended');
  });
});
