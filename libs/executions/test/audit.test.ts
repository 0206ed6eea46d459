import type { ExecutionRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { by, executionsOn, register } from './executions-fixture';

const later = leakCheck();

async function opened(): Promise<TestPlatform> {
  const platform = await openTestPlatform();
  later(() => platform.close());
  return platform;
}

type Line = Record<string, unknown>;

const linesOf = (platform: TestPlatform): Line[] => platform.log.map((line) => JSON.parse(line) as Line);
const completions = (platform: TestPlatform): Line[] =>
  linesOf(platform).filter(({ message }) => message === 'Liveaction completed');

it('the audit log has a line for the request and for each change of the status', async () => {
  const platform = await opened();
  const executions = executionsOn(platform);
  const record = await by(executions, await register(platform));
  await executions.transition(record, 'scheduled');
  await executions.transition(record, 'scheduled');
  await executions.transition(record, 'failed');
  const ids = `LiveAction.id=${record.liveaction_id}, ActionExecution.id=${record._id}`;
  const messages = linesOf(platform).map(({ message }) => String(message));
  expect(messages.filter((message) => message.includes(ids))).toEqual([
    `Action execution requested. ${ids}`,
    `The status of action execution is changed from requested to scheduled. <${ids}>`,
    `The status of action execution is changed from scheduled to failed. <${ids}>`,
  ]);
});

describe('the audit line of a completed live action', () => {
  const SECRET = 'correct-horse-battery';
  const parameters = {
    password: { type: 'string', secret: true },
    pin: { type: 'integer', secret: true },
    plain: { type: 'string' },
  };
  const output_schema = { key: { type: 'string', secret: true } };

  async function complete(given: Record<string, unknown>, result: Record<string, unknown>) {
    const platform = await opened();
    const executions = executionsOn(platform);
    const ref = await register(platform, { parameters, output_schema }, { output_key: 'result' });
    const record = await by(executions, ref, { parameters: given });
    await executions.transition(record, 'scheduled');
    await executions.transition(record, 'running');
    const { set } = await executions.results.store(record, result);
    const ended = (await executions.transition(record, 'succeeded', { set })) as ExecutionRecord;
    return { platform, executions, ended, lines: completions(platform) };
  }

  it('contains the status, the parameters, the result, the start and the end', async () => {
    const { executions, ended, lines } = await complete({ plain: 'open' }, { stdout: 'hi', return_code: 0 });
    const { start_timestamp, end_timestamp } = (await executions.view.liveaction(ended)) as Line;
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'audit',
        execution_id: ended._id,
        liveaction_id: ended.liveaction_id,
        action: ended.action_ref,
        status: 'succeeded',
        parameters: { plain: 'open' },
        result: { stdout: 'hi', return_code: 0 },
        start_timestamp,
        end_timestamp,
      }),
    ]);
  });

  it('shows no secrets of the parameters and the result', async () => {
    const { platform, lines } = await complete(
      { password: SECRET, pin: 7351, plain: 'open' },
      {
        result: { key: `${SECRET}2` },
        stdout: `the password is "${SECRET}"`,
        echo: { [SECRET]: 7351 },
        list: [SECRET],
      },
    );
    expect(lines).toMatchObject([
      {
        parameters: { password: '********', pin: '********', plain: 'open' },
        result: {
          result: { key: '********' },
          stdout: 'the password is "********"',
          echo: { '********': '********' },
          list: ['********'],
        },
      },
    ]);
    expect(platform.log.join('\n')).not.toContain(SECRET);
  });

  it('masks attributes named like a secret, however long the result is', async () => {
    const { platform, lines } = await complete(
      {},
      { token: SECRET, long: 'x'.repeat(100_000), api: { token: SECRET } },
    );
    expect(lines).toMatchObject([{ result: { token: '********', api: { token: '********' } } }]);
    expect(platform.log.join('\n')).not.toContain(SECRET);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a long text', { stdout: 'x'.repeat(200_000) }],
    ['a long list', { result: Array.from({ length: 20_000 }, (_, index) => index) }],
    ['many members', Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`member ${index}`, 'x']))],
    ['much nesting', { deep: JSON.parse('['.repeat(500) + ']'.repeat(500)) as unknown }],
    ['more than a record holds', { stdout: 'x'.repeat(400_000) }],
  ])('is bounded for a result with %s', async (_, result) => {
    const { platform } = await complete({ plain: 'y'.repeat(50_000) }, result);
    const [line] = platform.log.filter((text) => text.includes('Liveaction completed'));
    expect(line!.length).toBeLessThan(24_000);
  });

  it('is written for an execution that failed before it could be requested', async () => {
    const platform = await opened();
    const executions = executionsOn(platform);
    const ref = await register(platform, { parameters });
    const request = { action: ref, user: 'ada', parameters: { plain: '{{ nowhere }}' } };
    const error = await executions.request(request).catch((thrown: unknown) => thrown);
    const record = await executions.requestFailed(request, error);
    expect(completions(platform)).toMatchObject([{ execution_id: record?._id, status: 'failed' }]);
  });
});
