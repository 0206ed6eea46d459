import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { by, executionsOn, register } from './executions-fixture';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const size = { type: 'object', properties: { size: { type: 'integer', required: true } } };
const whole = { type: 'object', properties: { output: {}, errors: {} }, additionalProperties: false };
const runner = { output_schema: whole, output_key: 'output' };

interface Circumstances {
  on?: boolean;
  action?: object;
  runnerType?: object;
}

const checked = async (
  result: Record<string, unknown>,
  { on = true, action = { output_schema: size }, runnerType = runner }: Circumstances = {},
) => {
  const executions = executionsOn(platform, { validateOutput: on });
  const record = await by(executions, await register(platform, action, runnerType));
  return executions.checkOutput(record, result);
};

describe('the output of a run', () => {
  it('passes when it matches its schemas', async () => {
    expect(await checked({ output: { size: 3 } })).toBeUndefined();
  });

  it.each([
    ['its action', { output: { size: 'large' } }, "'large' is not of type 'integer'"],
    ['its runner', { output: { size: 1 }, more: 1 }, "Additional properties are not allowed ('more' was unexpected)"],
    ['its action, by a missing property', { output: {} }, "'size' is a required property"],
  ])('fails when it does not match the schema of %s', async (_, result, error) => {
    expect(await checked(result)).toEqual({
      error,
      message: 'Error validating output. See error output for more details.',
    });
  });

  it('can have one of several types', async () => {
    const action = { output_schema: { ...size, type: ['object', 'null'] } };
    expect(await checked({ output: null }, { action })).toBeUndefined();
    expect(await checked({ output: 'x' }, { action })).toMatchObject({ error: "'x' is not of type 'object', 'null'" });
  });

  it.each([
    ['type', { type: 'nonsense' }, "Invalid schema at type: unknown type 'nonsense'"],
    ['pattern', { type: 'string', pattern: '(' }, 'Invalid regular expression "("'],
  ])('fails when the schema of its action is invalid: its %s', async (_, schema, error) => {
    expect(await checked({ output: 'x' }, { action: { output_schema: schema } })).toEqual({
      error: expect.stringContaining(error),
      message: 'Error validating output. See error output for more details.',
    });
  });

  it.each([
    ['while the option is off', { on: false }],
    ['of a runner without a schema', { runnerType: { output_schema: {}, output_key: 'output' } }],
    ['against the older form of a schema', { action: { output_schema: { size: { type: 'integer' } } } }],
  ] as [string, Circumstances][])('is not checked %s', async (_, options) => {
    expect(await checked({ output: { size: 'large' } }, options)).toBeUndefined();
  });

  it('is not checked when it is missing', async () => {
    expect(await checked({})).toBeUndefined();
  });
});
