import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './processes';
import { runTrial, startTrial, type Trial } from './runner-fixture';

const packDirectory = mkdtempSync(join(tmpdir(), 'runners-test-'));
mkdirSync(join(packDirectory, 'actions/scripts'), { recursive: true });
afterAll(() => rmSync(packDirectory, { recursive: true }));

/** Writes a script into the pack and returns its entry point. */
function script(name: string, text: string, mode = 0o644): string {
  const path = join(packDirectory, 'actions/scripts', name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return `scripts/${name}`;
}

const runScript = (entry_point: string, trial: Partial<Trial> = {}) =>
  runTrial({ runner: 'local-shell-script', packDirectory, ...trial, action: { entry_point, ...trial.action } });

const PRINT = '#!/bin/sh\nfor a in "$@"; do echo "[$a]"; done\necho env=$MYVAR >&2\n';

describe('local-shell-script', () => {
  const parameters = {
    first: { type: 'string', position: 0 },
    second: { type: 'integer', position: 1 },
    named: { type: 'string' },
    flag: { type: 'boolean' },
  };

  const nothing = { first: null, second: null, named: null, flag: null };

  it.each([
    [{ first: 'a b', second: 2 }, {}, '[a b]\n[2]', 'env='],
    [{ first: 'x', named: 'nv' }, {}, '[--named=nv]\n[x]\n[]', 'env='],
    [{ second: 3, flag: true }, {}, '[--flag]\n[]\n[3]', 'env='],
    [{ second: 0 }, {}, '[]\n[0]', 'env='],
    [{ named: `$HOME \`id\` "q" 'p'` }, { kwarg_op: '-' }, `[-named=$HOME \`id\` "q" 'p']\n[]\n[]`, 'env='],
    [{ named: 'v' }, { kwarg_op: '' }, '[named=v]\n[]\n[]', 'env='],
    [{}, { env: { MYVAR: 'v' } }, '[]\n[]', 'env=v'],
  ])('passes %j with %j', async (actionParameters, runnerParameters, stdout, stderr) => {
    const values = { ...nothing, ...actionParameters };
    const trial = { actionParameters: values, parameters: runnerParameters, action: { parameters } };
    expect(await runScript(script('print.sh', PRINT), trial)).toEqual({
      status: 'succeeded',
      result: { failed: false, succeeded: true, return_code: 0, stdout, stderr },
      truncated: false,
    });
  });

  it('makes a script executable', async () => {
    const entryPoint = script('plain.sh', '#!/bin/sh\necho ran\n', 0o640);
    expect((await runScript(entryPoint)).result['stdout']).toBe('ran');
    expect(statSync(join(packDirectory, 'actions', entryPoint)).mode & 0o777).toBe(0o751);
  });

  it('runs a script without a shebang, and one with a blank in its name', async () => {
    expect((await runScript(script('with blank', 'echo $1\n'))).status).toBe('succeeded');
  });

  it('returns the partial output of a failing script', async () => {
    expect(await runScript(script('fail.sh', '#!/bin/sh\necho partial\nexit 7\n'))).toMatchObject({
      status: 'failed',
      result: { return_code: 7, stdout: 'partial', stderr: '' },
    });
  });

  it.each([
    ['is missing', 'scripts/missing.sh', 127, /not found|No such file/],
    ['is a directory', 'scripts', 126, /ermission denied|s a directory/],
    ['names an unknown interpreter', script('bad.sh', '#!/no/such/shell\n'), 127, /./],
  ])('fails when the script %s', async (_name, entryPoint, code, stderr) => {
    const { status, result } = await runScript(entryPoint);
    expect({ status, code: [126, code].includes(result['return_code'] as number) }).toEqual({
      status: 'failed',
      code: true,
    });
    expect(result['stderr']).toMatch(stderr);
  });

  it('is killed with its children on a timeout', async () => {
    const entryPoint = script('slow.sh', '#!/bin/sh\necho started\nsleep 60 &\necho $! >&2\nwait\n');
    const { status, result } = await runScript(entryPoint, { parameters: { timeout: 1 } });
    expect({ status, stdout: result['stdout'] }).toEqual({ status: 'timeout', stdout: 'started' });
    expect(result['error']).toBe('Action failed to complete in 1 seconds');
    expect(isAlive(result['stderr'] as number)).toBe(false);
  });

  it('abandons a script that ends on SIGTERM', async () => {
    const entryPoint = script('term.sh', '#!/bin/sh\nkill -TERM $$\n');
    expect(await runScript(entryPoint)).toMatchObject({ status: 'abandoned', result: { return_code: -15 } });
  });

  it('can be canceled', async () => {
    const action = { entry_point: script('wait.sh', '#!/bin/sh\nsleep 60\n') };
    const { handle, started } = startTrial({ runner: 'local-shell-script', packDirectory, action });
    const { pid } = await started;
    handle.cancel();
    expect((await handle.result).status).toBe('canceled');
    expect(isAlive(pid)).toBe(false);
  });

  it.each([
    ['none', '', 'Missing entry_point action metadata attribute'],
    ['one above the pack', '../../x.sh', 'The entry point "../../x.sh" of the action "default.a" is not in its pack.'],
    [
      'a way up',
      'scripts/../print.sh',
      'The entry point "scripts/../print.sh" of the action "default.a" is not in its pack.',
    ],
    [
      'an absolute one elsewhere',
      '/bin/true',
      'The entry point "/bin/true" of the action "default.a" is not in its pack.',
    ],
  ])('rejects an entry point: %s', async (_name, entryPoint, error) => {
    expect(await runScript(entryPoint)).toEqual({
      status: 'failed',
      result: { failed: true, succeeded: false, error },
    });
  });

  it('rejects an entry point that links outside the pack, and accepts a link within it', async () => {
    symlinkSync('/bin/true', join(packDirectory, 'actions/out.sh'));
    symlinkSync(script('target.sh', '#!/bin/sh\necho target\n'), join(packDirectory, 'actions/in.sh'));
    expect(await runScript('out.sh')).toMatchObject({
      status: 'failed',
      result: { error: 'The entry point "out.sh" of the action "default.a" is not in its pack.' },
    });
    expect((await runScript('in.sh')).result['stdout']).toBe('target');
  });

  it('accepts a pack that is itself a link', async () => {
    const link = `${packDirectory}-link`;
    symlinkSync(packDirectory, link);
    const action = { entry_point: script('linked.sh', '#!/bin/sh\necho linked\n') };
    const { result } = await runTrial({ runner: 'local-shell-script', packDirectory: link, action });
    rmSync(link);
    expect(result['stdout']).toBe('linked');
  });

  it('accepts an absolute entry point in the pack', async () => {
    const path = join(packDirectory, 'actions', script('there.sh', '#!/bin/sh\necho there\n'));
    expect((await runScript(path)).result['stdout']).toBe('there');
  });

  it('requires the path of the pack', async () => {
    const trial = { runner: 'local-shell-script', action: { entry_point: 'a.sh' } };
    expect((await runTrial(trial)).result['error']).toMatch('directory of the pack "default" is not known');
  });
});
