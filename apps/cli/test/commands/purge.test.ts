import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const run = (...args: string[]) =>
  svc(['purge', ...args], { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_TOKEN: 'token' });

const BEFORE = ['--timestamp', '2026-01-31T00:00:00Z'];
const before = '2026-01-31T00:00:00Z';

test('takes step after step, and prints the sum', async () => {
  const steps = [{ removed: 200, next: '17' }, { removed: 3, next: '18' }, { removed: 0 }];
  server.on('POST /v1/purge', () => ({ body: steps.shift() }));
  const { code, stdout } = await run('executions', ...BEFORE, '--action-ref', 'core.local', '--purge-incomplete');
  expect([code, stdout]).toEqual([0, 'Deleted 203 executions.\n']);
  const body = { kind: 'executions', before, action: 'core.local', incomplete: true };
  expect(server.seen.map(({ body: seen }) => seen)).toEqual([body, { ...body, after: '17' }, { ...body, after: '18' }]);
});

test.each([
  ['workflows', 'Deleted 1 workflow run.'],
  ['trigger-instances', 'Deleted 1 trigger instance.'],
  ['rule-enforcements', 'Deleted 1 rule enforcement.'],
  ['traces', 'Deleted 1 trace.'],
  ['tokens', 'Deleted 1 token.'],
])('%s are removed by their time', async (kind, sentence) => {
  server.on('POST /v1/purge', () => ({ body: { removed: 1 } }));
  const { code, stdout } = await run(kind, ...BEFORE);
  expect([code, stdout, server.seen[0]?.body]).toEqual([0, `${sentence}\n`, { kind, before }]);
});

test('a missing time and a refused purge are wrong usage', async () => {
  expect(await run('traces')).toMatchObject({ code: 2, stderr: expect.stringContaining('--timestamp') });
  server.on('POST /v1/purge', () => ({ status: 400, body: { faultstring: 'before: expected a time in the past' } }));
  const { code, stderr } = await run('traces', ...BEFORE);
  expect([code, stderr]).toEqual([2, expect.stringContaining('before: expected a time in the past')]);
});
