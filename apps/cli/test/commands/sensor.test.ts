import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

const sensor = {
  id: '65f0c0ffee00000000000001',
  uid: 'sensor_type:tests:Probe',
  ref: 'tests.Probe',
  name: 'Probe',
  pack: 'tests',
  enabled: true,
  trigger_types: ['tests.tick'],
  state: { name: 'waiting', restarts: 3 },
};

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET /v1/sensortypes', () => ({ body: [sensor] }));
  server.on('GET /v1/sensortypes/tests.Probe', () => ({ body: sensor }));
  server.on(`PUT /v1/sensortypes/${sensor.id}`, ({ body }) => ({ body: { ...sensor, enabled: body.enabled } }));
});
afterEach(() => server.close());
const run = (...args: string[]) =>
  svc(args, { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN });

test('sensors are listed with their state', async () => {
  const { code, stdout } = await run('sensor', 'list', '-p', 'tests');
  expect([code, server.seen[0]?.query.get('pack')]).toEqual([0, 'tests']);
  for (const text of ['tests.Probe', 'waiting']) expect(stdout).toContain(text);
});

test('sensors are shown, and a missing one makes the command fail', async () => {
  expect(await run('sensor', 'get', 'tests.Probe')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(sensor.uid),
  });
  const { code, stderr } = await run('sensor', 'get', 'tests.Nope');
  expect([code, stderr]).toEqual([1, 'ERROR: Sensor "tests.Nope" is not found.\n']);
});

const line = (text: string, more = {}) => ({
  timestamp: '2026-05-01T10:00:00.000000Z',
  source: 'stdout',
  text,
  ...more,
});

test('the log of a sensor is printed, with the levels of its logger', async () => {
  const lines = [line('hello'), line('no way', { source: 'logger', level: 'ERROR' })];
  server.on('GET /v1/sensortypes/tests.Probe/log', () => ({ body: { lines, next: '7' } }));
  const { code, stdout } = await run('sensor', 'log', 'tests.Probe', '-n', '2');
  expect([code, server.seen.at(-1)?.query.get('lines')]).toEqual([0, '2']);
  expect(stdout.split('\n').map((each) => each.replace(/^.*?(?=stdout|ERROR)/, ''))).toEqual([
    ...['stdout: hello', 'ERROR: no way', ''],
  ]);
});

test('a followed log goes on after the last line', async () => {
  const answers = [
    { lines: [line('one')], next: '7' },
    { lines: [line('two')], next: '8' },
  ];
  server.on('GET /v1/sensortypes/tests.Probe/log', () => {
    const body = answers.shift();
    return body ? { body } : { status: 401, body: { faultstring: 'Unauthorized' } };
  });
  const { code, stdout } = await run('sensor', 'log', 'tests.Probe', '--follow');
  expect(code).toBe(1);
  expect(stdout).toMatch(/one\n.*two\n/);
  expect(server.seen.map(({ query }) => query.get('after'))).toEqual([null, '7', '8']);
});

test.each([
  ['enable', true],
  ['disable', false],
])('%s updates a sensor', async (verb, enabled) => {
  const { code, stdout } = await run('sensor', verb, 'tests.Probe', '--json');
  expect([code, JSON.parse(stdout).enabled]).toEqual([0, enabled]);
  expect(server.seen.at(-1)?.body).toEqual({ id: sensor.id, ref: 'tests.Probe', enabled });
});
