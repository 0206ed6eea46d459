import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../processes';
import { describeSsh, sshFolder, type Trial } from './ssh-fixture';

describeSsh('remote-shell-script', () => {
  const { server, system, folder } = sshFolder();
  const shell = system();
  const packDirectory = join(folder, 'pack');
  const remote = mkdtempSync(join(folder, 'remote-'));
  let hosts: string;
  let port: number;

  beforeAll(async () => {
    ({ port } = await server());
    hosts = `127.0.0.1:${port}`;
    mkdirSync(join(packDirectory, 'actions/lib/deep'), { recursive: true });
    writeFileSync(join(packDirectory, 'actions/lib/words.sh'), 'greeting=hello\n');
    writeFileSync(join(packDirectory, 'actions/lib/deep/tool'), '#!/bin/sh\necho tool\n', { mode: 0o755 });
  });
  afterEach(() => expect(readdirSync(remote)).toEqual([]));

  const start = (text: string, parameters: Record<string, unknown> = {}, trial: Trial = {}) => {
    writeFileSync(join(packDirectory, "actions/it's.sh"), text);
    const action = { entry_point: "it's.sh", ...trial.action };
    return shell.start(
      'remote-shell-script',
      { hosts, dir: remote, ...parameters },
      { packDirectory, ...trial, action },
    );
  };
  const run = (...args: Parameters<typeof start>) => start(...args).handle.result;

  it('runs a script next to its library, with arguments', async () => {
    const text = `#!/bin/bash
here=$(dirname "$0"); . "$here/lib/words.sh"
echo "$greeting $("$here/lib/deep/tool") $(stat -c %a "$0" "$here" | xargs)"
for word in "$@"; do echo "[$word]"; done; pwd; echo "$MOOD" >&2\n`;
    const parameters = {
      first: { type: 'string', position: 0 },
      second: { type: 'integer', position: 1 },
      named: { type: 'string' },
    };
    const actionParameters = { first: `a "b" 'c' $HOME`, second: 0, named: 'x y' };
    const given = { kwarg_op: '-', cwd: '/usr', env: { MOOD: 'wild' } };
    expect(await run(text, given, { action: { parameters }, actionParameters })).toEqual({
      status: 'succeeded',
      truncated: false,
      result: {
        '127.0.0.1': {
          failed: false,
          succeeded: true,
          return_code: 0,
          stdout: `hello tool 744 700\n[-named=x y]\n[a "b" 'c' $HOME]\n[0]\n/usr`,
          stderr: 'wild',
        },
      },
    });
  });

  it('runs on several hosts concurrently', async () => {
    const both = `127.0.0.1:${port},127.0.0.2:${port}`;
    expect(await run('#!/bin/sh\nsleep 0.1; echo done\n', { hosts: both })).toMatchObject({
      status: 'succeeded',
      result: { '127.0.0.1': { stdout: 'done' }, '127.0.0.2': { stdout: 'done' } },
    });
  });

  it('removes its copy after a failure, with files that the script created next to it', async () => {
    const text = '#!/bin/sh\nmkdir "$(dirname "$0")/more"; touch "$(dirname "$0")/more/file"; exit 7\n';
    expect(await run(text)).toMatchObject({ status: 'failed', result: { '127.0.0.1': { return_code: 7 } } });
  });

  it('removes its copy after a cancel and a timeout', async () => {
    const text = '#!/bin/sh\nsleep 600 &\necho $! \nwait\n';
    const canceled = start(text);
    await canceled.until('\n');
    canceled.handle.cancel();
    expect((await canceled.handle.result).status).toBe('canceled');
    expect(isAlive(Number(canceled.output.stdout))).toBe(false);
    expect((await run(text, { timeout: 1 })).status).toBe('timeout');
  });

  it('starts over after an interrupted attempt', async () => {
    mkdirSync(join(remote, 'live-again/lib'), { recursive: true });
    expect((await run('#!/bin/sh\necho ok\n', {}, { liveactionId: 'live-again' })).status).toBe('succeeded');
  });

  it.each([
    [
      'there is no such directory on the host',
      { dir: '/no/such/directory' },
      /^The script could not be copied to the host/,
    ],
  ])('reports for each host that %s', async (_name, parameters, error) => {
    expect(await run('#!/bin/sh\n', parameters)).toMatchObject({
      status: 'failed',
      result: { '127.0.0.1': { return_code: 255, timeout: false, error: expect.stringMatching(error) as string } },
    });
  });

  it.each([
    ['no entry point', {}, { action: { entry_point: '' } }, /^Missing entry_point action metadata attribute$/],
    ['an entry point outside the pack', {}, { action: { entry_point: '../../x' } }, /is not in its pack/],
    ['a missing script', {}, { action: { entry_point: 'none.sh' } }, /"none.sh" .* could not be read: ENOENT/],
    ['a relative directory', { dir: 'tmp' }, {}, /not absolute/],
  ])('rejects %s', async (_name, parameters, trial, error) => {
    const { status, result } = await run('#!/bin/sh\n', parameters, trial);
    const text = result['error'] ?? (result['127.0.0.1'] as { error: unknown }).error;
    expect({ status, text }).toEqual({ status: 'failed', text: expect.stringMatching(error) as string });
  });

  it('leaves nothing behind when no host can be reached', async () => {
    expect((await run('#!/bin/sh\n', { hosts: '127.0.0.1:1' })).result['error']).toMatch(
      /^Unable to connect to any one/,
    );
    expect(existsSync(remote)).toBe(true);
  });
});
