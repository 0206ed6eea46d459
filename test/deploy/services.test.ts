import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestSite } from '@switchyard/testkit/platform';
import { freePorts } from '../system/system-process';
import { composeFile, composeFiles, hasProgram, SMALL } from './deployment-files';
import { installPrograms, startContainer, type Machine, type RunningContainer } from './containers';
import { call, startFrontEnd, type FrontEnd } from './front-end';
import { ACCOUNT, hasServers, htpasswd, openSiteOnServers } from './site-on-servers';

const START_MS = 120_000;
/** Like `--scale action-runner=2`. */
const RUNNERS = 2;

const hasNginx = hasProgram('nginx', 'the way through it is');
const described = hasServers('running every container is') ? describe : describe.skip;

described.each([
  ['docker-compose.yml', composeFile('docker-compose.yml')],
  [`docker-compose.yml with ${SMALL}`, composeFiles('docker-compose.yml', SMALL)],
])('the containers of %s, as processes', (_, { services }) => {
  let site: TestSite;
  let nginx: FrontEnd | undefined;
  let running: RunningContainer[] = [];
  const ports = { api: 0, auth: 0, stream: 0 };

  beforeAll(async () => {
    site = await openSiteOnServers();
    const [api = 0, auth = 0, stream = 0, ...health] = await freePorts(3 + 15);
    Object.assign(ports, { api, auth, stream });
    const machine = machineOf(site, ports);
    writeFileSync(join(machine.directory, 'htpasswd'), htpasswd());
    writeFileSync(join(machine.directory, 'svc.conf'), '# nothing\n');
    running = Object.entries(services)
      .filter(([, { image }]) => image === 'switchyard:latest')
      .flatMap(([name, container]) =>
        Array.from({ length: name === 'action-runner' ? RUNNERS : 1 }, (_, copy) =>
          startContainer(name, container, withHealthPort(machine, health.shift() ?? 0), copy),
        ),
      );
    if (hasNginx) nginx = await startFrontEnd(ports);
  }, START_MS);

  afterAll(async () => {
    await nginx?.stop();
    for (const { kill } of running) kill();
    await site?.remove();
  }, START_MS);

  const named = (name: string): RunningContainer => running.find((each) => each.name === name) as RunningContainer;

  it(
    'become healthy independently and in any order',
    async () => {
      await Promise.all(running.filter(({ name }) => name !== 'client').map(untilHealthy));
    },
    START_MS,
  );

  it('run an action requested on the command line', async () => {
    const { exec } = named('client');
    expect(await exec(['svc', 'login', ACCOUNT.user, '-p', ACCOUNT.password])).toMatchObject({ code: 0 });
    const { code, output } = await exec(['svc', 'run', 'core.local', 'cmd=env']);
    expect([code, output]).toEqual([0, expect.stringContaining(`SVC_ACTION_API_URL=http://127.0.0.1:${ports.api}`)]);
    // The addresses of the store and the bus contain passwords.
    expect(output).not.toMatch(/amqp:|mongodb:/);
  });

  (hasNginx ? it : it.skip)('run an action through the front end, and show it on the stream', async () => {
    const { port } = nginx as FrontEnd;
    const basic = `Basic ${Buffer.from(`${ACCOUNT.user}:${ACCOUNT.password}`).toString('base64')}`;
    const login = await call(port, '/auth/v1/tokens', { method: 'POST', headers: { authorization: basic } });
    expect(login).toMatchObject({ status: 201, headers: { 'x-api-url': 'http://127.0.0.1:8080/api' } });
    const headers = { 'x-auth-token': (JSON.parse(login.text) as { token: string }).token };
    const body = JSON.stringify({ action: 'core.local', parameters: { cmd: 'echo hello' } });
    const asked = await call(port, '/api/v1/executions', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    expect(asked.status).toBe(201);
    const { id } = JSON.parse(asked.text) as { id: string };
    // This process exits with the execution.
    const output = await call(port, `/stream/v1/executions/${id}/output`, { headers });
    expect(output.headers['content-type']).toContain('text/event-stream');
    expect(output.text).toContain('hello');
    const read = await call(port, `/api/v1/executions/${id}`, { headers });
    expect(JSON.parse(read.text)).toMatchObject({ status: 'succeeded', result: { stdout: 'hello' } });
  });

  it('log one JSON object per line', () => {
    for (const { name, output } of running.filter((each) => each.name !== 'client')) {
      const lines = output()
        .split('\n')
        .filter((line) => line !== '');
      expect([name, lines.filter((line) => !line.startsWith('{'))]).toEqual([name, []]);
    }
  });

  it(
    'exit without an error at the first SIGTERM',
    async () => {
      const ends = await Promise.all(running.map(async ({ name, stop }) => [name, await stop()]));
      // The client's process is sleep, which ends by the signal.
      expect(ends.filter(([name, code]) => name !== 'client' && code !== 0)).toEqual([]);
    },
    START_MS,
  );
});

async function untilHealthy({ name, child, output, isHealthy }: RunningContainer): Promise<void> {
  const deadline = performance.now() + START_MS - 10_000;
  while (!(await isHealthy())) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${name} is not healthy:\n${output()}`);
  }
}

function machineOf({ config }: TestSite, ports: { api: number; auth: number; stream: number }): Machine {
  writeFileSync(join(config.system.base_path, 'messaging-url'), config.messaging.url);
  return {
    directory: config.system.base_path,
    bin: installPrograms(config.system.base_path),
    replacements: [
      ['mongodb://mongo:27017/?authSource=admin', config.database.host],
      ['/run/secrets', config.system.base_path],
      ['/opt/switchyard', config.system.base_path],
      ['/etc/switchyard', config.system.base_path],
      ...(['api', 'auth', 'stream'] as const).map(
        (name, index) => [`http://${name}:${[9101, 9100, 9102][index]}`, `http://127.0.0.1:${ports[name]}`] as const,
      ),
    ],
    ports: {
      SVC_API__PORT: String(ports.api),
      SVC_AUTH__PORT: String(ports.auth),
      SVC_STREAM__PORT: String(ports.stream),
      SVC_DATABASE__DB_NAME: config.database.db_name,
      SVC_MESSAGING__PREFIX: config.messaging.prefix,
    },
    // The test's server has no accounts.
    without: ['SVC_DATABASE__USERNAME', 'SVC_DATABASE__PASSWORD_FILE'],
    hasTini: hasProgram('tini', 'starting containers by it is'),
  };
}

const HEALTH_PORTS = [
  'SVC_TIMERSENGINE__HEALTH_PORT',
  'SVC_GARBAGECOLLECTOR__HEALTH_PORT',
  'SVC_RULESENGINE__HEALTH_PORT',
  'SVC_SCHEDULER__HEALTH_PORT',
  'SVC_ACTIONRUNNER__HEALTH_PORT',
  'SVC_SENSORCONTAINER__HEALTH_PORT',
  'SVC_NOTIFIER__HEALTH_PORT',
  'SVC_WORKFLOW_ENGINE__HEALTH_PORT',
];

const withHealthPort = (machine: Machine, port: number): Machine => ({
  ...machine,
  ports: { ...machine.ports, ...Object.fromEntries(HEALTH_PORTS.map((name) => [name, String(port)])) },
});
