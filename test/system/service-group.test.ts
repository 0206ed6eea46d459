import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@switchyard/testkit/platform';
import { login } from './api-caller';
import { endsWithUs } from './ends-with-us';
import { run } from './run-svc';
import { freePorts, htpasswd, ROOT } from './system-process';

const PROGRAM = join(ROOT, 'services/all-in-one/dist/service-main.js');
const GROUP = 'api,auth,stream,scheduler,action-runner';
const MINUTE = 60_000;

describe('a group of services in one process', () => {
  let directory: string;
  let child: ChildProcess | undefined;
  let api: string;
  let auth: string;
  let health: string;
  const log = () => readFileSync(join(directory, 'log'), 'utf8');

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'svc-group-'));
    const [apiPort, authPort, streamPort, healthPort] = await freePorts(4);
    [api, auth, health] = [apiPort, authPort, healthPort].map((port) => `http://127.0.0.1:${port}`) as [string, string, string]; // oxfmt-ignore
    writeFileSync(join(directory, 'htpasswd'), htpasswd());
    const accounts = `backend = flat_file\nbackend_kwargs = {"file_path": "${join(directory, 'htpasswd')}"}`;
    const sections = [
      `[system]\nbase_path = ${directory}`,
      `[api]\nport = ${apiPort}`,
      `[auth]\nport = ${authPort}\n${accounts}`,
      `[stream]\nport = ${streamPort}`,
      `[scheduler]\nhealth_port = ${healthPort}`,
      `[actionrunner]\nhealth_port = ${healthPort}`,
    ];
    writeFileSync(join(directory, 'svc.conf'), sections.join('\n'));
    const output = openSync(join(directory, 'log'), 'a');
    child = spawn(process.execPath, [PROGRAM, GROUP, '--config-file', join(directory, 'svc.conf')], {
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    endsWithUs(child);
    // The API starts last.
    await eventually(
      async () => (await fetch(`${api}/readyz`).catch(() => undefined))?.ok === true,
      () => log(),
    );
  }, MINUTE);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('runs an action', async () => {
    const caller = await login(api, auth);
    const { body } = await caller.call('POST', '/v1/executions', { action: 'core.local', parameters: { cmd: 'echo hi' } }); // oxfmt-ignore
    const ended = async () => (await caller.call('GET', `/v1/executions/${body.id}`)).body;
    await eventually(
      async () => (await ended()).status === 'succeeded',
      () => log(),
    );
    caller.close();
  });

  it('serves the routes of auth and stream on the port of the API too', async () => {
    const caller = await login(api, `${api}/auth/v1`);
    const stream = await fetch(`${api}/stream/v1/stream`, { headers: caller.headers });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, expect.stringContaining('event-stream')]);
    await stream.body?.cancel();
    caller.close();
  });

  it('reports the health of all services with the same health port at once', async () => {
    const answer = await fetch(`${health}/readyz`);
    expect([answer.status, Object.keys(((await answer.json()) as { checks: object }).checks)]).toEqual([
      200,
      ['action-runner: bus', 'action-runner: slots', 'scheduler: bus'],
    ]);
  });

  it('reloads its configuration at SIGHUP, and opens no debugger at SIGUSR1', async () => {
    appendFileSync(join(directory, 'svc.conf'), '\n[log]\nlevel = warn\n[scheduler]\npool_size = 7\n');
    child?.kill('SIGUSR1');
    child?.kill('SIGHUP');
    await eventually(
      () => Promise.resolve(log().includes('applied=["log.level"],restart_needed=["scheduler.pool_size"]')),
      () => log(),
    );
    expect(log()).not.toContain('Debugger');
  });

  it('ends all of them at the first SIGTERM', async () => {
    const ended = once(child as ChildProcess, 'exit');
    child?.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});

describe('svc-service', () => {
  it.each([
    [['scheduler,clock'], 'ERROR: expected names of services separated by commas, got "scheduler,clock".'],
    [['scheduler', 'timers'], 'ERROR: expected one list of services, got "scheduler timers".'],
    [['scheduler,sensor-container', '--single-sensor-mode'], 'are only for the sensor-container'],
  ])('refuses %p', async (words, message) => {
    const { code, stderr } = await run(process.execPath, [PROGRAM, ...words]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('refuses an API beyond this machine that would hand out tokens for a default password', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'svc-group-'));
    const configFile = join(directory, 'svc.conf');
    writeFileSync(configFile, `[system]\nbase_path = ${directory}\n[api]\nhost = 0.0.0.0\n`);
    const { code, stderr } = await run(process.execPath, [PROGRAM, 'auth,api', '--config-file', configFile]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('refusing to listen on 0.0.0.0')]);
    rmSync(directory, { recursive: true });
  });
});
