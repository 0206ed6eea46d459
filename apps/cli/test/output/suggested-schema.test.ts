import type { Execution } from '@switchyard/client';
import { compileSchema } from '@switchyard/model';
import { suggestSchema, suggestedSchema } from '../../src/output/suggested-schema';

test.each([
  ['text', { type: 'string' }],
  [7, { type: 'integer' }],
  [1.5, { type: 'number' }],
  [true, { type: 'boolean' }],
  [null, { type: 'null' }],
  [[], { type: 'array' }],
  [[1, 2], { type: 'array', items: { type: 'integer' } }],
  [[1, 'two'], { type: 'array' }],
  [
    { host: 'a', ports: [{ number: 1 }] },
    {
      type: 'object',
      properties: {
        host: { type: 'string' },
        ports: { type: 'array', items: { type: 'object', properties: { number: { type: 'integer' } } } },
      },
    },
  ],
])('%j fits %j', (value, schema) => {
  expect(suggestSchema(value)).toEqual(schema);
  expect(compileSchema(suggestSchema(value), { fillDefaults: false }).check(value).ok).toBe(true);
});

const execution = (facts: object): Execution => ({
  id: '1',
  status: 'succeeded',
  start_timestamp: '',
  action: { ref: 'a.b' },
  ...facts,
});

test('a schema describes the part of the result that the output key of the runner selects', () => {
  const result = { result: 3, stdout: '', exit_code: 0 };
  expect(suggestedSchema(execution({ result, runner: { output_key: 'result' } }))).toEqual({
    schema: { type: 'integer' },
  });
  expect(suggestedSchema(execution({ result, runner: {} }))).toMatchObject({ schema: { type: 'object' } });
});

test.each([
  [{ action: { ref: 'a.b', output_schema: { type: 'string' } }, result: 'x' }, /"a.b" has an output schema already/],
  [{}, /no output/],
  [{ result: { stdout: '' }, runner: { output_key: 'result' } }, /no output/],
  [{ status: 'failed', result: { stdout: '' } }, /a run that succeeded/],
])('suggests nothing for %j', (facts, reason) => {
  expect(suggestedSchema(execution(facts))).toEqual({ reason: expect.stringMatching(reason) });
});
