import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, paths } from '@switchyard/config';
import { cpuTimeMs } from '@switchyard/testkit/cpu-time';
import type { Logger } from '@switchyard/telemetry';
import { openAccount, withAccounts } from '../src/accounts';

describe('the default account', () => {
  const base = mkdtempSync(join(tmpdir(), 'svc-accounts-'));
  afterAll(() => rmSync(base, { recursive: true }));

  const { config } = loadConfig({ environment: {}, overrides: { system: { base_path: base } } });
  const cost = async () => {
    const before = cpuTimeMs();
    await withAccounts(config, paths(config));
    return cpuTimeMs() - before;
  };

  it('is written once, to a file that others cannot read, and hashed once', async () => {
    const first = await cost();
    const file = join(base, 'htpasswd');
    const written = readFileSync(file, 'utf8');
    expect(written).toMatch(/^svcadmin:\$2[aby]\$/);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(await cost()).toBeLessThan(first / 2);
    expect(readFileSync(file, 'utf8')).toBe(written);
  });

  it('does not exist in proxy mode, where there are no passwords', async () => {
    const elsewhere = join(base, 'proxy');
    const overrides = { system: { base_path: elsewhere }, auth: { mode: 'proxy' as const } };
    const { config: proxied } = loadConfig({ environment: {}, overrides });
    expect(await withAccounts(proxied, paths(proxied))).toBe(proxied);
    expect(existsSync(join(elsewhere, 'htpasswd'))).toBe(false);
    expect(await openAccount(proxied, {} as Logger)).toBeUndefined();
  });
});
