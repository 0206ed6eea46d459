import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { TOKEN } from '../support/contract-server';
import { svc } from '../support/run-svc';

const AT = '2026-01-02T03:04:05.000000Z';
const replica = { id: '65f0c0ffee00000000000001', host: 'east', pid: 17, version: '1.2.3', started_at: AT, slots: 10 };
const status = {
  taken_at: AT,
  services: [
    { service: 'action-runner', replicas: [replica] },
    { service: 'timers', replicas: [] },
  ],
  leaders: [],
  executions: [{ status: 'requested', count: 3, oldest_at: AT }],
  pools: [{ pool: 'gpu', waiting: 3, oldest_at: AT, active: 0 }],
  queues: [{ service: 'notifier', waiting: 0 }],
  problems: [
    { kind: 'missing-service', message: 'No process runs the service timers: timers do not fire.', service: 'timers' },
    { kind: 'unserved-pool', message: '3 executions wait for the pool "gpu".', pool: 'gpu', oldest_at: AT },
  ],
};

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
  server.on('GET /v1/status', () => ({ body: status }));
});
afterEach(() => server.close());
const run = (...args: string[]) =>
  svc(['status', ...args], { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN });

it('shows a table for each kind of thing, and what is wrong', async () => {
  const { code, stdout } = await run();
  expect([code, stdout.split('\n').filter((line) => /^[A-Z-]/.test(line))]).toEqual([
    0,
    [
      'Running processes',
      'Unfinished executions',
      'Pools',
      'Queues',
      'Problems',
      '- No process runs the service timers: timers do not fire.',
      '- 3 executions wait for the pool "gpu". The oldest since Fri, 02 Jan 2026 03:04:05 UTC.',
    ],
  ]);
  expect(stdout).toMatch(/\| action-runner \| east \| 17 +\| 1\.2\.3/);
});

it('prints one document for programs', async () => {
  expect(JSON.parse((await run('-j')).stdout)).toEqual(status);
  expect((await run('-y')).stdout).toContain('kind: unserved-pool');
});
