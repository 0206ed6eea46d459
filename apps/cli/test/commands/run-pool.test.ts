import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET /v1/actions/core.noop', () => ({ body: { ref: 'core.noop', runner_type: 'noop', parameters: {} } }));
  server.on('GET /v1/runnertypes/noop', () => ({ body: { name: 'noop', runner_parameters: {} } }));
  server.on('POST /v1/executions', () => ({ status: 201, body: { id: '1', status: 'requested' } }));
});
afterEach(() => server.close());

test('svc run --pool runs an action on action runners with a label', async () => {
  const env = { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN };
  const { code } = await svc(['run', 'core.noop', '--pool', 'gpu', '--async'], env);
  expect([code, server.seen.at(-1)?.body]).toEqual([0, expect.objectContaining({ action: 'core.noop', pool: 'gpu' })]);
});
