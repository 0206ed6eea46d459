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

test.each([
  ['enable', true],
  ['disable', false],
])('%s updates a sensor', async (verb, enabled) => {
  const { code, stdout } = await run('sensor', verb, 'tests.Probe', '--json');
  expect([code, JSON.parse(stdout).enabled]).toEqual([0, enabled]);
  expect(server.seen.at(-1)?.body).toEqual({ id: sensor.id, ref: 'tests.Probe', enabled });
});
