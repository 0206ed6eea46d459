import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { localShellCmd } from '../../src/shell/shell-command';
import { localShellScript } from '../../src/shell/local-shell-script';
import { UserAccess } from '../../src/shell/run-as';
import { StackstormPaths } from '../../src/stackstorm-paths/stackstorm-paths';
import { describePython, PythonPack } from '../python-script/python-pack';
import { starter, startTrial, type Trial } from '../runner-fixture';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'stackstorm-paths-')));
const packDirectory = join(root, 'own/garden');
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), mode);
}

// Interpreters that print what they were started with.
write('virtualenvs/garden/bin/python3', '#!/bin/sh\necho environment "$@"\n', 0o755);
write('python', '#!/bin/sh\necho service "$@"\n', 0o755);
write('own/garden/data.txt', 'roses\n');
write('packs/meadow/data.txt', 'clover\n');

const ownUser = new UserAccess({ name: 'stanley', isRoot: true });

const folders = {
  packs: [join(root, 'nowhere'), join(root, 'packs'), join(root, 'own')],
  virtualenvs: join(root, 'virtualenvs'),
  configs: join(root, 'configs'),
  python: join(root, 'python'),
};

function start(mode: 'rewrite' | 'mount' | 'off', trial: Trial, paths = new StackstormPaths(mode, folders)) {
  const host = { access: ownUser, paths, starter };
  const plugin = trial.runner === 'local-shell-cmd' ? localShellCmd(host) : localShellScript(host);
  const { action, ...rest } = trial;
  return startTrial({ ...rest, plugin, packDirectory, action: { pack: 'garden', ...action } });
}

const command = (cmd: string, cwd?: string): Trial => ({
  runner: 'local-shell-cmd',
  parameters: { cmd, ...(cwd !== undefined && { cwd }) },
});

function script(line: string): Trial {
  write('own/garden/actions/water.py', `${line}\nnot for a shell (\n`, 0o755);
  return { runner: 'local-shell-script', action: { entry_point: 'water.py' } };
}

const entry = join(packDirectory, 'actions/water.py');

describe('rewriting of paths of StackStorm', () => {
  it.each([
    ['#!/opt/stackstorm/st2/bin/python', `service ${entry}`],
    ['#! /opt/stackstorm/virtualenvs/garden/bin/python3 -u ', `environment -u ${entry}`],
  ])('starts a script that begins with %s', async (line, stdout) => {
    const { status, result } = await start('rewrite', script(line)).handle.result;
    expect([status, result['stdout']]).toEqual(['succeeded', stdout]);
  });

  it.each([
    ['/opt/stackstorm/packs/garden/', packDirectory],
    ['/opt/stackstorm/packs/meadow', join(root, 'packs/meadow')],
    ['/opt/stackstorm/virtualenvs/garden/bin', join(root, 'virtualenvs/garden/bin')],
    [join(root, 'packs'), join(root, 'packs')],
  ])('runs in %s', async (cwd, directory) => {
    const { status, result } = await start('rewrite', command('pwd', cwd)).handle.result;
    expect([status, result['stdout']]).toEqual(['succeeded', directory]);
  });

  it('can be turned off', async () => {
    expect((await start('off', script('#!/opt/stackstorm/st2/bin/python')).handle.result).status).toBe('failed');
    expect((await start('off', command('pwd', '/opt/stackstorm/packs/garden')).handle.result).status).toBe('failed');
  });
});

const namespaces = process.getuid?.() === 0 ? ['--mount'] : ['--map-root-user', '--mount'];
const canMount = spawnSync('unshare', [...namespaces, 'mount', '-t', 'tmpfs', 'test', '/opt']).status === 0;
const mounted = canMount ? it : it.skip;

describe('mounting of paths of StackStorm', () => {
  mounted('makes all of them exist for a command, and hides nothing', async () => {
    const before = spawnSync('ls', ['/opt'], { encoding: 'utf8' }).stdout.trim().split('\n');
    const read =
      'cd /opt/stackstorm; cat packs/meadow/data.txt packs/garden/data.txt; virtualenvs/garden/bin/python3 1; st2/bin/python 2; ls /opt; pwd';
    const { handle, warnings } = start('mount', command(read, '/opt/stackstorm/packs/meadow'));
    const { status, result } = await handle.result;
    const lines = ['clover', 'roses', 'environment 1', 'service 2', ...before, 'stackstorm', '/opt/stackstorm'];
    expect([status, String(result['stdout']).split('\n').sort(), warnings]).toEqual([
      'succeeded',
      lines.filter((line) => line !== '').sort(),
      [],
    ]);
    expect(spawnSync('ls', ['/opt/stackstorm']).status).not.toBe(0);
  });

  it('is replaced by rewriting where it is not possible, with one message in the log', async () => {
    // This path has no program `unshare`.
    const settings = { environment: { PATH: join(root, 'nowhere') } };
    const paths = new StackstormPaths('mount', folders);
    const first = start('mount', { ...script('#!/opt/stackstorm/st2/bin/python'), settings }, paths);
    const { status, result } = await first.handle.result;
    expect([status, result['stdout']]).toEqual(['succeeded', `service ${entry}`]);
    expect(first.warnings).toEqual([expect.stringContaining('cannot be mounted')]);
    const second = start('mount', { ...command('echo again'), settings }, paths);
    expect([(await second.handle.result).status, second.warnings]).toEqual(['succeeded', []]);
  });
});

describePython('a Python action', () => {
  mounted('sees mounted paths', async () => {
    const pack = new PythonPack({}, {}, 'mount');
    pack.write('etc/beds.txt', 'roses');
    const entryPoint = pack.action('return open("/opt/stackstorm/packs/garden/etc/beds.txt").read()');
    const { result } = await pack.start(entryPoint).handle.result;
    expect(result['result']).toBe('roses');
    await pack.remove();
  });
});
