/// <reference types="jest" />

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { makeSshKey, missingSshServer, startSshServer, type SshServer } from '@switchyard/testkit/ssh';
import { MINUTES, type Parameters, type Site } from './site';

const missing = missingSshServer();
if (missing !== undefined && process.env['CI'] === 'true')
  throw new Error(`${missing} is missing, so SSH cannot be tested.`);
if (missing !== undefined) process.stderr.write(`${missing} is missing: examples on other hosts are left out.\n`);
const itWithSsh = missing === undefined ? it : it.skip;

const LINES = { stdout: 'stdout line 1\nstdout line 2', stderr: 'stderr line 1\nstderr line 2', succeeded: true };
const TWO = { count: 2, sleep_delay: 0 };

/** Action, parameters, host, and a part of its result there. */
const EXAMPLES: [string, Parameters, string, object][] = [
  ['remote_command_runner_print_to_stdout_and_stderr', TWO, 'localhost', LINES],
  ['remote_script_runner_print_to_stdout_and_stderr', TWO, 'localhost', LINES],
  ['remote-fib', { hosts: '127.0.0.1', start: 3, end: 30 }, '127.0.0.1', { stdout: '3\n5\n8\n13\n21' }],
];

/** The names of the actions that run here. */
export const REMOTE = ['remote-random-exit', ...EXAMPLES.map(([name]) => name)];

/** Tests of actions on other hosts. */
export function remote(siteOf: () => Site): void {
  let folder: string;
  let server: SshServer | undefined;
  let access: Parameters;

  beforeAll(async () => {
    if (missing !== undefined) return;
    folder = mkdtempSync(join(tmpdir(), 'svc-examples-'));
    const key = makeSshKey(join(folder, 'id'));
    server = await startSshServer({ authorized: [key.publicKey] });
    access = { username: userInfo().username, private_key: key.text, port: server.port };
  }, MINUTES);

  afterAll(async () => {
    await server?.stop();
    if (folder) rmSync(folder, { recursive: true });
  });

  itWithSsh.each(EXAMPLES)(
    'action %s with %j runs on %s',
    async (name, parameters, host, result) => {
      const ended = await siteOf().run(name, { ...parameters, ...access });
      expect(ended).toMatchObject({ status: 'succeeded', result: { [host]: result } });
    },
    MINUTES,
  );

  itWithSsh(
    'action remote-random-exit reports its end on each host',
    async () => {
      const hosts = ['127.0.0.1', '127.0.0.2'];
      const { status, result } = await siteOf().run('remote-random-exit', { ...access, hosts: hosts.join() });
      const codes = hosts.map((host) => result[host].return_code);
      expect(codes.map((code) => [0, 1, 2, 3].includes(code))).toEqual([true, true]);
      expect(hosts.map((host) => result[host].stdout)).toEqual(codes);
      expect(status).toBe(codes.every((code) => code === 0) ? 'succeeded' : 'failed');
    },
    MINUTES,
  );
}
