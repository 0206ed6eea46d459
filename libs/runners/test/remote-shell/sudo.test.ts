import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../processes';
import { describeSsh, sshFolder } from './ssh-fixture';

const PASSWORD = 'right word';

/** A fake sudo that records its arguments and prompts for the password as the real one does. */
const fakeSudo = (diary: string, refusal: string) => `#!/bin/bash
printf '%s\\n' "$*" >> ${diary}
${refusal}
while [ $# -gt 0 ]; do
  case $1 in
    -n) echo 'sudo: a password is required' >&2; exit 1;;
    -p) prompt=$2; shift;;
    -S) ask=1;;
    --) shift; break;;
  esac
  shift
done
if [ -n "$ask" ]; then
  for try in 1 2 3; do
    printf '%s' "$prompt" >&2
    IFS= read -r word || { echo 'sudo: no password was provided' >&2; exit 1; }
    [ "$word" = '${PASSWORD}' ] && exec "$@"
    echo 'Sorry, try again.' >&2
  done
fi
exit 1
`;

describeSsh('a remote command under sudo', () => {
  const { server, system, folder } = sshFolder();
  const shell = system();
  const diary = join(folder, 'diary');
  const bin = join(folder, 'bin');
  let hosts: string;

  const sudo = (refusal = '') => writeFileSync(join(bin, 'sudo'), fakeSudo(diary, refusal), { mode: 0o755 });

  beforeAll(async () => {
    mkdirSync(bin);
    const { port } = await server({ environment: { PATH: `${bin}:/usr/bin:/bin` } });
    hosts = `127.0.0.1:${port}`;
  });
  beforeEach(() => sudo());
  afterEach(() => rmSync(diary, { force: true }));

  const run = (cmd: string, parameters: Record<string, unknown> = {}) =>
    shell.run(cmd, { hosts, sudo: true, sudo_password: PASSWORD, ...parameters });

  it('receives the password over standard input, and shows nothing in process lists', async () => {
    const { status, result } = await run('echo "it\'s ${BASH_VERSION:+bash} $MOOD"; cat; echo err >&2; exit 4', {
      env: { MOOD: 'wild' },
    });
    expect({ status, result }).toEqual({
      status: 'failed',
      result: {
        '127.0.0.1': { failed: true, succeeded: false, return_code: 4, stdout: "it's bash wild", stderr: 'err' },
      },
    });
    expect(readFileSync(diary, 'utf8')).toMatch(
      /^-S -p \[svc-\w+\] -E -- bash -c echo svc-ready-\w+; IFS= read -r svc_line && eval "\$svc_line"\n$/,
    );
  });

  it('fails with a wrong password, which is sent only once', async () => {
    const { status, result } = await run('echo never', { sudo_password: 'wrong word' });
    expect({ status, entry: result['127.0.0.1'] }).toEqual({
      status: 'failed',
      entry: {
        failed: true,
        succeeded: false,
        return_code: -1,
        stdout: '',
        stderr: 'Sorry, try again.\nsudo: no password was provided',
        error: expect.stringMatching(
          /^Invalid sudo password provided or sudo is not configured for this user \(.+\)$/,
        ) as string,
      },
    });
  });

  it('fails immediately when a password is required and missing', async () => {
    const { status, result } = await run('echo never', { sudo_password: null });
    expect({ status, entry: result['127.0.0.1'] }).toMatchObject({
      status: 'failed',
      entry: { return_code: 1, stderr: 'sudo: a password is required' },
    });
  });

  it('gets a terminal when sudo requires one, without seeing a difference', async () => {
    sudo(`[ -t 0 ] || { echo 'sudo: sorry, you must have a tty to run sudo' >&2; exit 1; }`);
    const { status, result } = await run('printf "one\\ntwo\\n"; cat; exit 0');
    expect({ status, entry: result['127.0.0.1'] }).toMatchObject({
      status: 'succeeded',
      entry: { stdout: 'one\ntwo', stderr: '' },
    });
    expect(readFileSync(diary, 'utf8').split('\n')).toHaveLength(3);
  });

  it.each([
    ['without a terminal', ''],
    ['with one', `[ -t 0 ] || { echo 'sudo: sorry, you must have a tty to run sudo' >&2; exit 1; }`],
  ])('is killed with all its descendants, %s', async (_name, refusal) => {
    sudo(refusal);
    const trial = shell.startCommand('setsid sleep 600 & echo $! $$; sleep 600', {
      hosts,
      sudo: true,
      sudo_password: PASSWORD,
    });
    await trial.until('\n');
    const pids = trial.output.stdout.trim().split(' ').map(Number);
    trial.handle.cancel();
    expect((await trial.handle.result).status).toBe('canceled');
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  it('is ended while sudo still checks the password', async () => {
    sudo('echo thinking; read -r _');
    const trial = shell.startCommand('echo never', { hosts, sudo: true, sudo_password: PASSWORD });
    await trial.until('thinking');
    trial.handle.cancel();
    expect(await trial.handle.result).toMatchObject({ status: 'canceled' });
  });
});
