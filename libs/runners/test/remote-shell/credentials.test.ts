import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSshKey, type SshKeyOptions } from '@switchyard/testkit/ssh';
import { passwordServer } from './password-server';
import { describeSsh, sshFolder } from './ssh-fixture';

const PASSPHRASE = 'open sesame';

describeSsh('credentials', () => {
  const { folder, server, system, later } = sshFolder();
  const shell = system();
  const keys: Record<string, ReturnType<typeof makeSshKey>> = {};
  let hosts: string;

  const kinds: readonly [string, SshKeyOptions][] = [
    ['rsa', { type: 'rsa' }],
    ['ecdsa', { type: 'ecdsa' }],
    ['ed25519', { type: 'ed25519' }],
    ['rsa-locked', { type: 'rsa', passphrase: PASSPHRASE }],
    ['ecdsa-locked', { type: 'ecdsa', passphrase: PASSPHRASE }],
    ['ed25519-locked', { type: 'ed25519', passphrase: PASSPHRASE }],
    ['rsa-pem-locked', { type: 'rsa', passphrase: PASSPHRASE, format: 'PEM' }],
    ['ecdsa-pem', { type: 'ecdsa', format: 'PEM' }],
    ['rsa-pkcs8-locked', { type: 'rsa', passphrase: PASSPHRASE, format: 'PKCS8' }],
    ['ecdsa-pkcs8', { type: 'ecdsa', format: 'PKCS8' }],
  ];

  beforeAll(async () => {
    for (const [name, options] of kinds) keys[name] = makeSshKey(join(folder, name), options);
    const { port } = await server({ authorized: Object.values(keys).map(({ publicKey }) => publicKey) });
    hosts = `127.0.0.1:${port}`;
  });

  it.each(kinds)('can be a key of type %s, as text or path', async (name, { passphrase }) => {
    const parameters = { hosts, ...(passphrase !== undefined && { passphrase }) };
    for (const private_key of [keys[name]?.text, keys[name]?.path]) {
      expect((await shell.run('true', { ...parameters, private_key })).result).toMatchObject({
        '127.0.0.1': { succeeded: true },
      });
    }
  });

  it.each([
    ['the key of another user', () => ({}), /All configured authentication methods failed/],
    ['a locked key without its passphrase', () => ({ private_key: keys['rsa-locked']?.text }), /no passphrase given/],
    [
      'a locked key with a wrong passphrase',
      () => ({ private_key: keys['ed25519-locked']?.text, passphrase: 'open barley' }),
      /The private key cannot be used/,
    ],
    ['a public key', () => ({ private_key: `${keys['rsa']?.path}.pub` }), /it is a public key/],
    ['half a key', () => ({ private_key: keys['rsa']?.text.slice(0, 200) }), /The private key cannot be used/],
    ['a missing file', () => ({ private_key: '/no/such/key-file' }), /could not be read from its file: ENOENT/],
    ['a device', () => ({ private_key: '/' }), /could not be read from its file: EISDIR/],
  ])('cannot be %s, and do not appear in the error', async (_name, parameters, error) => {
    const run = shell.startCommand('true', { hosts, ...parameters() });
    const { status, result } = await run.handle.result;
    expect({ status, error: result['error'] }).toEqual({
      status: 'failed',
      error: expect.stringMatching(error) as string,
    });
    expect(JSON.stringify([result, run.warnings])).not.toMatch(/BEGIN|open barley|no\/such\/key-file/);
  });

  it('can be in the key file of the installation, which may be missing', async () => {
    const none = system({
      use_ssh_config: 'true',
      ssh_config_file_path: write('none', 'IdentityFile /no/such/file\n'),
    });
    expect((await none.run('true', { hosts })).result['error']).toMatch(/No password and no .* \/no\/such\/file/);
  });

  it('may be accepted by a server that refuses the command; its message and exit code are returned', async () => {
    const other = await passwordServer({ method: 'password', password: 'secret word', refusal: 'No shell for you.\n' });
    later(() => other.close());
    const { result } = await shell.run('true', { hosts: `127.0.0.1:${other.port}`, password: 'secret word' });
    expect(result['127.0.0.1']).toMatchObject({ failed: true, return_code: 1, stderr: 'No shell for you.' });
  });

  it.each(['password', 'keyboard-interactive'] as const)('can be a password, with %s', async (method) => {
    const other = await passwordServer({ method, password: 'secret word' });
    later(() => other.close());
    const where = { hosts: `127.0.0.1:${other.port}`, username: 'ada' };
    const right = await shell.run('true', { ...where, password: 'secret word', private_key: '/no/such/file' });
    expect(right.result).toEqual({ '127.0.0.1': expect.objectContaining({ succeeded: true }) as unknown });
    const wrong = await shell.run('true', { ...where, password: 'wrong word' });
    expect(wrong.result['error']).toMatch(/as ada: All configured authentication methods failed/);
    expect(JSON.stringify(wrong)).not.toContain('wrong word');
    expect(other.asked()).toBeLessThan(4);
  });

  it('also log in on further connections when one is full', async () => {
    const narrow = await server({ authorized: [keys['rsa']?.publicKey ?? ''], config: ['MaxSessions 1'] });
    const parameters = { hosts: `127.0.0.1:${narrow.port}`, private_key: keys['rsa']?.path };
    const runs = Array.from({ length: 4 }, () => shell.run('sleep 0.2; echo done', parameters));
    expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(Array(4).fill('succeeded'));
  });

  describe('through a bastion', () => {
    const inner = async () => {
      const behind = await server({ authorized: [keys['rsa']?.publicKey ?? ''] });
      return { hosts: `127.0.0.2:${behind.port}`, private_key: keys['rsa']?.text };
    };

    it('reach the host behind it', async () => {
      const parameters = { ...(await inner()), bastion_host: hosts };
      const { result } = await shell.run('echo ${SSH_CONNECTION%% *}', parameters);
      expect(result).toMatchObject({ '127.0.0.2': { succeeded: true, stdout: '127.0.0.1' } });
      expect(readFileSync(join(shell.base, 'ssh/known_hosts'), 'utf8')).toContain(
        `[${parameters.hosts.replace(':', ']:')} `,
      );
    });

    it('fail for a host that does not exist', async () => {
      const parameters = { ...(await inner()), hosts: '127.0.0.2:1', bastion_host: hosts };
      expect((await shell.run('true', parameters)).result['error']).toMatch(/127.0.0.2/);
    });

    it('fail for a bastion that does not exist', async () => {
      const parameters = { ...(await inner()), bastion_host: '127.0.0.1:1' };
      expect((await shell.run('true', parameters)).result['error']).toMatch(/127.0.0.1 port 1 as/);
    });
  });

  it('can come from the ssh configuration, with host names and jump hosts', async () => {
    const behind = await server({ authorized: [keys['ecdsa']?.publicKey ?? ''] });
    const [address, port] = hosts.split(':');
    const text = `
      Host gate
        HostName ${address}
        Port ${port}
        IdentityFile ${keys['rsa']?.path}
      Host inn*r !innkeeper
        HostName=127.0.0.2
        Port ${behind.port}
        IdentityFile "${keys['ecdsa']?.path}"
        ProxyJump gate`;
    const configured = system({ use_ssh_config: 'true', ssh_config_file_path: write('config', text) });
    expect((await configured.run('echo there', { hosts: 'inner' })).result).toMatchObject({
      inner: { stdout: 'there' },
    });
  });

  function write(name: string, text: string): string {
    const path = join(folder, name);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, text);
    return path;
  }
});
