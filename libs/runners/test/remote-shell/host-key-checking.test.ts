import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSsh, sshFolder } from './ssh-fixture';

describeSsh('host key checking', () => {
  const { server, system, folder } = sshFolder();
  let files = 0;
  const knownHosts = (text: string) => {
    const path = join(folder, `known-hosts-${++files}`);
    writeFileSync(path, text);
    return path;
  };

  it('accepts the key of a new host once, and saves it in a private file', async () => {
    const { port, hostKeys } = await server();
    const shell = system();
    const hosts = `127.0.0.1:${port}`;
    const runs = await Promise.all(Array.from({ length: 12 }, () => shell.run('sleep 0.1', { hosts })));
    expect(runs.map(({ status }) => status)).toEqual(Array(12).fill('succeeded'));
    const file = join(shell.base, 'ssh/known_hosts');
    expect(readFileSync(file, 'utf8')).toBe(`[127.0.0.1]:${port} ${hostKeys[0]?.replace(/ test$/, '')}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('rejects a host whose key has changed, until the old key is removed', async () => {
    const shell = system({ connection_keep_seconds: '0' });
    const before = await server();
    const hosts = `127.0.0.1:${before.port}`;
    expect((await shell.run('true', { hosts })).status).toBe('succeeded');
    await before.stop();
    await server({ port: before.port });
    const { status, result } = await shell.run('echo never', { hosts });
    expect({ status, error: result['error'] }).toEqual({
      status: 'failed',
      error: expect.stringMatching(
        /The host key of \[127\.0\.0\.1\]:\d+ has changed: it shows ssh-ed25519 SHA256:.*known_hosts/,
      ) as string,
    });
    writeFileSync(join(shell.base, 'ssh/known_hosts'), '');
    expect((await shell.run('true', { hosts })).status).toBe('succeeded');
  });

  it('rejects a known host with a key of another type', async () => {
    const before = await server({ hostKeyTypes: ['rsa'] });
    const file = knownHosts(`[127.0.0.1]:${before.port} ${before.hostKeys[0]}\n`);
    await before.stop();
    await server({ port: before.port, hostKeyTypes: ['ed25519'] });
    const shell = system({ known_hosts_file: file });
    expect((await shell.run('true', { hosts: `127.0.0.1:${before.port}` })).result['error']).toMatch(/has changed/);
  });

  it('requests a known key from a host with several keys', async () => {
    const { port, hostKeys } = await server({ hostKeyTypes: ['ed25519', 'ecdsa', 'rsa'] });
    for (const key of hostKeys) {
      const strict = system({
        host_key_checking: 'strict',
        known_hosts_file: knownHosts(`[127.0.0.1]:${port} ${key}\n`),
      });
      expect((await strict.run('true', { hosts: `127.0.0.1:${port}` })).status).toBe('succeeded');
    }
  });

  it('recognizes hashed names', async () => {
    const { port, hostKeys } = await server();
    const file = knownHosts(`[127.0.0.1]:${port} ${hostKeys[0]}\n`);
    expect(spawnSync('ssh-keygen', ['-H', '-f', file]).status).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/^\|1\|/);
    const strict = system({ host_key_checking: 'strict', known_hosts_file: file });
    expect((await strict.run('true', { hosts: `127.0.0.1:${port}` })).status).toBe('succeeded');
  });

  it.each([
    ['refuses an unknown host when it is strict', 'strict', () => '', /is not known\. Add it to/],
    ['refuses a revoked key', 'accept-new', (key: string) => `@revoked * ${key}\n`, /is marked as revoked/],
    [
      'refuses a key that is both known and revoked',
      'strict',
      (key: string) => `* ${key}\n@revoked * ${key}\n`,
      /is marked as revoked/,
    ],
  ])('%s', async (_name, host_key_checking, text, error) => {
    const { port, hostKeys } = await server();
    const shell = system({ host_key_checking, known_hosts_file: knownHosts(text(hostKeys[0] ?? '')) });
    expect((await shell.run('true', { hosts: `127.0.0.1:${port}` })).result['error']).toMatch(error);
  });

  it('can be turned off', async () => {
    const { port, hostKeys } = await server();
    const file = knownHosts(`@revoked * ${hostKeys[0]}\n`);
    const shell = system({ host_key_checking: 'off', known_hosts_file: file });
    expect((await shell.run('true', { hosts: `127.0.0.1:${port}` })).status).toBe('succeeded');
  });

  it('warns when a new key cannot be saved, and still accepts it', async () => {
    const { port } = await server();
    const shell = system({ known_hosts_file: `${knownHosts('')}/known_hosts`, connection_keep_seconds: '0' });
    const hosts = `127.0.0.1:${port}`;
    const first = shell.startCommand('true', { hosts });
    expect((await first.handle.result).status).toBe('succeeded');
    expect(first.warnings).toEqual([expect.stringMatching(/^A new host key could not be saved/)]);
    const second = shell.startCommand('true', { hosts });
    expect((await second.handle.result).status).toBe('succeeded');
    expect(second.warnings).toEqual([]);
  });
});
