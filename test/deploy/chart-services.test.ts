import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { eventually, type TestSite } from '@switchyard/testkit/platform';
import { freePorts } from '../system/system-process';
import { hasHelm, render, serviceContainer, workloads, type Manifest, type Workload } from './chart';
import { installPrograms } from './containers';
import { hasProgram } from './deployment-files';
import { startPod, type Cluster, type RunningPod } from './pods';
import { ACCOUNT, hasServers, htpasswd, openSiteOnServers } from './site-on-servers';

const START_MS = 120_000;
/** Three Deployments of services and a pool for executions without one, as it would be for a trial, and a pool for others. */
const VALUES = {
  publicUrl: 'https://svc.example.org',
  grouping: 'small',
  accounts: { existingSecret: 'accounts' },
  packs: { images: [{ name: 'ours', image: 'packs:1', path: '/packs' }] },
  pools: { gpu: { slots: 2, drainSeconds: 300 } },
};

const described = hasHelm() && hasServers('running the pods of the chart is') ? describe : describe.skip;

described('the pods of the chart, as processes', () => {
  let site: TestSite;
  let manifests: Manifest[];
  let cluster: Cluster;
  const pods: RunningPod[] = [];
  let address: Record<'api' | 'auth' | 'stream', string>;

  const start = async (workload: Workload, ports: Record<number, number>, copy = 0): Promise<RunningPod> => {
    const [health = 0] = await freePorts(1);
    const pod = startPod(workload, cluster, { 9103: health, ...ports }, copy);
    pods.push(pod);
    return pod;
  };
  const workload = (name: string): Workload =>
    workloads(manifests).find(({ metadata }) => metadata.name === `sy-switchyard-${name}`) as Workload;
  const pod = (name: string): RunningPod =>
    pods.findLast((each) => each.name === `sy-switchyard-${name}`) as RunningPod;
  const svc = async (...words: string[]) => pod('api').exec(['env', ...clientOptions(), 'svc', ...words]);
  const clientOptions = () => [
    `SVC_API_URL=${address.api}/v1`,
    `SVC_AUTH_URL=${address.auth}`,
    `SVC_STREAM_URL=${address.stream}/v1`,
  ];

  beforeAll(async () => {
    site = await openSiteOnServers();
    manifests = render(VALUES);
    const [api = 0, auth = 0, stream = 0] = await freePorts(3);
    address = {
      api: `http://127.0.0.1:${api}`,
      auth: `http://127.0.0.1:${auth}`,
      stream: `http://127.0.0.1:${stream}`,
    };
    cluster = clusterOf(site, manifests, address.api);
    const ours = workloads(manifests).filter(serviceContainer);
    await Promise.all(
      ours.map((each) =>
        start(each, each.metadata.name.endsWith('-api') ? { 9101: api, 9100: auth, 9102: stream } : {}),
      ),
    );
  }, START_MS);

  afterAll(async () => {
    for (const { kill } of pods) kill();
    await site?.remove();
  }, START_MS);

  const run = async (...words: string[]) => {
    const { code, output } = await svc('run', '--json', ...words);
    expect([code, output]).toEqual([0, expect.stringContaining('{')]);
    return JSON.parse(output.slice(output.indexOf('{'))) as { id: string; status: string; result: { stdout: string } };
  };
  const statusOf = async (id: string): Promise<string> =>
    (JSON.parse((await svc('execution', 'get', id, '--json')).output) as { status: string }).status;

  it(
    'pass their probes, started in any order',
    async () => {
      await Promise.all(pods.map(untilReady));
      expect((await svc('login', ACCOUNT.user, '-p', ACCOUNT.password)).code).toBe(0);
    },
    START_MS,
  );

  it('run an action of a pack from an image, in the pool of executions without one', async () => {
    const { status, result } = await run('ours.greet');
    expect([status, result.stdout]).toEqual(['succeeded', 'hello from an image']);
    expect(pod('runner-default').output()).toContain('ours.greet');
    expect(pod('runner-gpu').output()).not.toContain('ours.greet');
  });

  it('run an action in another pool', async () => {
    const { status, result } = await run('core.local', 'cmd=env', '--pool', 'gpu');
    expect([status, result.stdout]).toEqual([
      'succeeded',
      expect.stringContaining(`SVC_ACTION_API_URL=${address.api}`),
    ]);
    // The address of the bus contains a password.
    expect(result.stdout).not.toMatch(/amqp:|mongodb:/);
    expect(pod('runner-gpu').output()).toContain('core.local');
  });

  it('answer below the paths of the ingress', async () => {
    const status = async (url: string, accept = 'application/json') =>
      (await fetch(url, { headers: { accept } })).status;
    expect(await status(`${address.api}/api/v1/actions`)).toBe(401);
    expect(await status(`${address.auth}/auth/v1/tokens`)).toBe(404);
    expect(await status(`${address.stream}/stream/v1/stream`)).toBe(401);
    expect(await status(`${address.api}/`, 'text/html')).toBe(200);
  });

  it(
    'drain when a pool shrinks to 0: running work finishes, waiting work waits for the next action runner',
    async () => {
      const go = join(site.config.system.base_path, 'go');
      const command = `cmd=until [ -e ${go} ]; do sleep 0.1; done`;
      const running = await svc('run', 'core.local', command, '--pool', 'gpu', '--async', '--json');
      const { id } = JSON.parse(running.output) as { id: string };
      await eventually(
        async () => (await statusOf(id)) === 'running',
        () => 'the execution to run',
      );
      const stopping = pod('runner-gpu').stop();
      const waiting = await svc('run', 'core.local', 'cmd=echo late', '--pool', 'gpu', '--async', '--json');
      const late = (JSON.parse(waiting.output) as { id: string }).id;
      writeFileSync(go, '');
      expect(await stopping).toBe(0);
      expect(await statusOf(id)).toBe('succeeded');
      expect(['requested', 'scheduled', 'delayed']).toContain(await statusOf(late));
      // The scheduler tells an autoscaler that the pool is needed again.
      await eventually(
        async () => (await neededSlots(pod('scheduler'), 'gpu')) === 1,
        () => 'the metrics to show the waiting execution',
      );
      await start(workload('runner-gpu'), {}, 1);
      await eventually(
        async () => (await statusOf(late)) === 'succeeded',
        () => 'the waiting execution to succeed',
      );
    },
    2 * START_MS,
  );

  it(
    'exit without an error at SIGTERM',
    async () => {
      const living = pods.filter(({ child }) => child.exitCode === null);
      const ends = await Promise.all(living.map(async ({ name, stop }) => [name, await stop()]));
      expect(ends.filter(([, code]) => code !== 0)).toEqual([]);
    },
    START_MS,
  );
});

async function untilReady({ name, child, output, passes }: RunningPod): Promise<void> {
  const deadline = performance.now() + START_MS - 10_000;
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
    while (!(await passes(probe))) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`${name} fails its ${probe}:\n${output()}`);
      await setTimeout(100);
    }
  }
}

/** What the queries of the chart's ScaledObjects add up: executions that wait for a slot of a pool or hold one. */
async function neededSlots({ ports }: RunningPod, pool: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${ports[9103]}/metrics`)).text();
  return ['svc_pool_waiting', 'svc_pool_active']
    .map((name) => Number(new RegExp(`^${name}\\{pool="${pool}"\\} (\\d+)$`, 'm').exec(text)?.[1]))
    .reduce((sum, value) => sum + value, 0);
}

function clusterOf({ config }: TestSite, manifests: readonly Manifest[], api: string): Cluster {
  const directory = config.system.base_path;
  return {
    manifests,
    machine: {
      directory,
      bin: installPrograms(directory),
      replacements: [
        ['mongodb://sy-switchyard-mongodb:27017/?authSource=admin', config.database.host],
        ['http://sy-switchyard-api:9101', api],
      ],
      ports: { SVC_DATABASE__DB_NAME: config.database.db_name, SVC_MESSAGING__PREFIX: config.messaging.prefix },
      // The test's server has no accounts.
      without: ['SVC_DATABASE__USERNAME', 'SVC_DATABASE__PASSWORD_FILE'],
      hasTini: hasProgram('tini', 'starting pods by it is'),
    },
    secrets: { accounts: { htpasswd: htpasswd() }, 'sy-switchyard-servers': { url: config.messaging.url } },
    images: { '/packs': packImage(directory) },
  };
}

/** The packs in an image. */
function packImage(directory: string): string {
  const packs = join(directory, 'image', 'packs');
  mkdirSync(join(packs, 'ours', 'actions'), { recursive: true });
  writeFileSync(
    join(packs, 'ours', 'pack.yaml'),
    'name: ours\ndescription: From an image.\nversion: 1.0.0\nauthor: us\nemail: us@example.org\n',
  );
  writeFileSync(
    join(packs, 'ours', 'actions', 'greet.yaml'),
    'name: greet\nrunner_type: local-shell-cmd\nparameters:\n  cmd: { immutable: true, default: echo hello from an image }\n',
  );
  return packs;
}
