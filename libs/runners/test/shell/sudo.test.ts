import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { UserAccess } from '@switchyard/runners';
import { isAlive } from '../processes';
import { runCommand, startTrial } from '../runner-fixture';

const folder = mkdtempSync(join(tmpdir(), 'runners-test-'));
const diary = join(folder, 'diary');
afterEach(() => rmSync(diary, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * A fake sudo that records its arguments and then runs the command, or refuses with `refusal`. It knows the user
 * `stanley` and accepts the password `right` when it should read one.
 */
function fakeSudo(name: string, refusal = ''): string {
  const path = join(folder, name);
  const text = `#!/bin/bash
echo "$*" >> ${diary}
${refusal}
while [ $# -gt 0 ]; do
  case $1 in
    -S) read -r word; [ "$word" = right ] || { echo 'Sorry, try again.' >&2; echo 'sudo: 1 incorrect password attempt' >&2; exit 1; };;
    -u) shift; [ "$1" = stanley ] || { echo "sudo: unknown user $1" >&2; exit 1; };;
    -p) shift;;
    --) shift; break;;
  esac
  shift
done
exec "$@"
`;
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

const calls = () => readFileSync(diary, 'utf8').trim().split('\n');
const access = (user: string, sudo = fakeSudo('sudo'), isRoot = false) => new UserAccess({ name: user, isRoot }, sudo);

describe('the user of a command', () => {
  it('is the system user, through sudo and bash, if the service may use sudo', async () => {
    const run = { access: access('svc') };
    expect(await runCommand(`echo "it's \${BASH_VERSION:+bash}"`, {}, run)).toMatchObject({
      status: 'succeeded',
      result: { stdout: "it's bash" },
    });
    await runCommand('true', {}, run);
    expect(calls()).toEqual([
      '-n -E -H -u stanley -- true',
      `-E -H -u stanley -- bash -c echo "it's \${BASH_VERSION:+bash}"`,
      '-E -H -u stanley -- bash -c true',
    ]);
  });

  it.each([
    ['sudo is absent', new UserAccess({ name: 'svc', isRoot: false }, '/no/such/sudo'), 'stanley'],
    ['the user is unknown', access('svc'), 'nobody-here'],
    ['sudo refuses', access('svc', fakeSudo('refusing', 'echo no >&2; exit 1')), 'stanley'],
  ])('is the user of the service, with one warning, when %s', async (_name, known, systemUser) => {
    const trial = { runner: 'local-shell-cmd', parameters: { cmd: 'echo ${BASH_VERSION:+bash}' }, access: known };
    const first = startTrial({ ...trial, settings: { systemUser } });
    expect(await first.handle.result).toMatchObject({ status: 'succeeded', result: { stdout: 'bash' } });
    const second = startTrial({ ...trial, settings: { systemUser } });
    await second.handle.result;
    expect([first.warnings.length, second.warnings.length]).toEqual([1, 0]);
  });

  it.each(['stanley', 'svc'])(
    'is the user of the service, with sh, when that is the system user (%s)',
    async (user) => {
      const trial = { access: access(user), settings: { systemUser: user } };
      expect((await runCommand('echo "$0"', {}, trial)).result['stdout']).toBe('/bin/sh');
    },
  );

  it('is root when the action sets sudo', async () => {
    await runCommand('echo root', { sudo: true }, { access: access('svc') });
    expect(calls()).toEqual(['-E -- bash -c echo root']);
  });

  it('is root without sudo when the service runs as root', async () => {
    const known = access('root', '/no/such/sudo', true);
    expect((await runCommand('echo root', { sudo: true }, { access: known })).result['stdout']).toBe('root');
  });

  it('reports a missing sudo as a shell does', async () => {
    const known = access('svc', '/no/such/sudo');
    expect(await runCommand('true', { sudo: true }, { access: known })).toMatchObject({
      status: 'failed',
      result: { return_code: 127, error: "No such file or directory: '/no/such/sudo'" },
    });
  });
});

describe('a sudo password', () => {
  it('is sent over standard input, not the command line', async () => {
    const parameters = { sudo: true, sudo_password: 'right' };
    expect(await runCommand('cat; echo in', parameters, { access: access('svc') })).toMatchObject({
      status: 'succeeded',
      result: { stdout: 'in', stderr: '' },
    });
    expect(calls()).toEqual(['-S -p  -E -- bash -c cat; echo in']);
  });

  it.each([
    ['is wrong', 'wrong', ''],
    ['is of no use to this user', 'right', `echo 'svc is not in the sudoers file.' >&2; exit 1`],
  ])('is rejected when it %s', async (_name, sudo_password, refusal) => {
    const trial = { access: access('svc', fakeSudo('strict', refusal)) };
    expect(await runCommand('echo never', { sudo: true, sudo_password }, trial)).toMatchObject({
      status: 'failed',
      result: {
        return_code: -1,
        stdout: '',
        error: 'Invalid sudo password provided or sudo is not configured for this user (svc)',
      },
    });
  });

  it('is also used to switch to the system user', async () => {
    await runCommand('true', { sudo_password: 'right' }, { access: access('svc') });
    expect(calls()).toEqual(['-n -E -H -u stanley -- true', '-S -p  -E -H -u stanley -- bash -c true']);
  });

  it.each([
    ['sudo is absent', '/no/such/sudo', 'stanley'],
    ['the system user is unknown', fakeSudo('sudo'), 'nobody-here'],
    ['the service has that user already', '/no/such/sudo', 'svc'],
  ])('is neither used nor passed to the command when %s', async (_name, sudo, systemUser) => {
    const parameters = { cmd: 'cat; id -un', sudo_password: 'right' };
    const known = access('svc', sudo);
    for (const warnings of [systemUser === 'svc' ? 0 : 1, 0]) {
      const run = startTrial({ runner: 'local-shell-cmd', parameters, access: known, settings: { systemUser } });
      expect(await run.handle.result).toMatchObject({
        status: 'succeeded',
        result: { stdout: userInfo().username, stderr: '' },
      });
      expect(run.warnings).toHaveLength(warnings);
    }
  });

  it('fails a command of the system user if it is wrong', async () => {
    const known = access(
      'svc',
      fakeSudo('asking', 'case $1 in -n) echo "sudo: a password is required" >&2; exit 1;; esac'),
    );
    const run = startTrial({
      runner: 'local-shell-cmd',
      parameters: { cmd: 'true', sudo_password: 'wrong' },
      access: known,
    });
    expect(await run.handle.result).toMatchObject({ status: 'failed', result: { return_code: -1 } });
    expect(run.warnings).toEqual([]);
  });

  it('is also used to kill the processes', async () => {
    const parameters = {
      cmd: `trap '' TERM; echo ready; while :; do sleep 60; done`,
      sudo: true,
      sudo_password: 'right',
    };
    const run = startTrial({ runner: 'local-shell-cmd', parameters, access: access('svc') });
    const { pid } = await run.started;
    while (!run.output.stdout.includes('ready')) await new Promise(setImmediate);
    run.handle.cancel();
    expect((await run.handle.result).status).toBe('canceled');
    expect(isAlive(pid)).toBe(false);
    expect(calls().slice(1).join('\n')).toMatch(/-S -p {2}-- \/bin\/sh -c [^]* TERM \d+ SVC_ACTION_EXECUTION_ID=/);
  });
});
