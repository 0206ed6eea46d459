import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sshConfigEntry } from '../../src/remote-shell/target/ssh-config';

const folder = mkdtempSync(join(tmpdir(), 'ssh-config-'));
const file = join(folder, 'config');
afterAll(() => rmSync(folder, { recursive: true }));

const lookUp = (text: string, host = 'web1') => {
  writeFileSync(file, text);
  return sshConfigEntry(file, host);
};

describe('the ssh configuration', () => {
  it.each([
    ['nothing', '', {}],
    ['an entry of another host', 'Host db\n  User ada', {}],
    [
      'the first value of each option',
      'User first\nHost web*\n  User second\n  Port 2222',
      { user: 'first', port: 2222 },
    ],
    ['a name made from the host', 'Host web1\n  HostName %h.example.org', { hostName: 'web1.example.org' }],
    [
      'all identities',
      'IdentityFile ~/.ssh/%r-%h\nIdentityFile none\nUser ada',
      { user: 'ada', identityFiles: [`${homedir()}/.ssh/ada-web1`] },
    ],
    ['words between quotes, after an equals sign', 'user = "ada l"', { user: 'ada l' }],
    ['jumps in order', 'ProxyJump ada@a:22, b', { jumps: ['ada@a:22', 'b'] }],
    ['no jump', 'ProxyJump none\nProxyCommand x', {}],
    ['a command that only forwards', 'ProxyCommand ssh -q -W %h:%p gate', { jumps: ['gate'] }],
    ['settings after a Match all', 'Match all\n  User ada', { user: 'ada' }],
  ])('supports %s', async (_name, text, entry) => {
    expect(await lookUp(text)).toEqual({ identityFiles: [], jumps: [], ...entry });
  });

  it.each([
    ['another command', 'ProxyCommand nc %h %p', /ProxyCommand other than/],
    ['conditions', 'Match user ada', /Match is not supported/],
    ['other files', 'Include more', /Include is not supported/],
    ['an invalid port', 'Port ssh', /"ssh" is not a valid port/],
  ])('is rejected for %s', async (_name, text, error) => {
    await expect(lookUp(text)).rejects.toThrow(error);
  });

  it('may be missing', async () => {
    expect(await sshConfigEntry(join(folder, 'none'), 'web1')).toEqual({ identityFiles: [], jumps: [] });
  });
});
