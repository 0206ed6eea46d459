import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

const timer = {
  id: '65f0c0ffee00000000000001',
  uid: 'trigger:core:tick:0',
  ref: 'core.tick',
  name: 'tick',
  pack: 'core',
  type: 'core.st2.IntervalTimer',
  parameters: { unit: 'seconds', delta: 5 },
};

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET /v1/timers', () => ({ body: [timer] }));
  server.on('GET /v1/timers/core.tick', () => ({ body: timer }));
});
afterEach(() => server.close());
const run = (...args: string[]) =>
  svc(args, { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN });

test.each([['--timer-type'], ['-ty']])('timers are listed by type (%s)', async (option) => {
  const { code, stdout } = await run('timer', 'list', option, 'core.st2.IntervalTimer');
  expect([code, server.seen[0]?.query.get('timer_type')]).toEqual([0, 'core.st2.IntervalTimer']);
  for (const text of ['tick', 'core.st2.IntervalTimer', 'seconds']) expect(stdout).toContain(text);
});

test('timers are listed', async () => {
  const { code, stdout } = await run('timer', 'list', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([0, [expect.objectContaining({ id: timer.id })]]);
  expect([...(server.seen[0]?.query.keys() ?? [])]).toEqual([]);
});

test('timers are shown, and a missing one makes the command fail', async () => {
  expect(await run('timer', 'get', 'core.tick')).toMatchObject({ code: 0, stdout: expect.stringContaining(timer.uid) });
  const { code, stderr } = await run('timer', 'get', 'core.nope');
  expect([code, stderr]).toEqual([1, 'ERROR: Timer "core.nope" is not found.\n']);
});
