import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createSealer, newKeyRing, openStore, type Store } from '@switchyard/storage';
import { openEmbedded } from '@switchyard/storage/embedded';
import { svc } from '../support/run-svc';

const SCRIPT = resolve(__dirname, '../../../../bin/st2-apply-rbac-definitions');

let base: string;
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'svc-rbac-'));
  await withStore(() => Promise.resolve());
});
afterEach(() => rmSync(base, { recursive: true }));

async function withStore<T>(use: (store: Store) => Promise<T>): Promise<T> {
  const connection = await openEmbedded({ directory: join(base, 'store') });
  const store = await openStore(connection, createSealer(newKeyRing()));
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

function write(path: string, text: string): void {
  mkdirSync(join(base, path, '..'), { recursive: true });
  writeFileSync(join(base, path), text);
}
const valid = () => {
  write('rbac/roles/readers.yaml', 'name: readers\npermission_grants: [{permission_types: [action_list]}]');
  write('rbac/assignments/ada.yaml', 'username: ada\nroles: [readers, admin]');
};
const rbac = (...words: string[]) => svc(['rbac', ...words, '--data-dir', base], { HOME: '/nowhere' });
const rolesOf = (user: string) =>
  withStore(async ({ roleAssignments }) => (await roleAssignments.ofUser(user)).map(({ role }) => role).sort());

describe('svc rbac sync', () => {
  it('applies the files and counts what changed', async () => {
    valid();
    const { code, stdout, stderr } = await rbac('sync');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/roles +\| 1 +\| 0 +\| 0 /);
    expect(stdout).toMatch(/role assignments +\| 2 +\| 0 +\| 0 /);
    expect(await rolesOf('ada')).toEqual(['admin', 'readers']);
    const again = await rbac('sync', '-j');
    expect(JSON.parse(again.stdout)).toMatchObject({ roles: { created: 0, updated: 0, removed: 0 } });
  });

  it('lists every problem of the files, and changes nothing', async () => {
    valid();
    write('rbac/roles/bad.yaml', 'name: bad\npermission_grants:\n  - permission_types: [rule_view]');
    write('rbac/roles/worse.yaml', 'name: [');
    const { code, stdout, stderr } = await rbac('sync');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^roles\/bad\.yaml: line 3: .*"rule_view" needs a "resource_uid".*\nroles\/worse\.yaml: line 1: /,
    );
    expect(stderr).toContain(
      `ERROR: The definition files in ${join(base, 'rbac')} are not valid. Nothing was changed.`,
    );
    expect(await rolesOf('ada')).toEqual([]);
  });

  it('needs an administrator while roles are on', async () => {
    write('rbac/assignments/ada.yaml', 'username: ada\nroles: [observer]');
    write('svc.conf', '[rbac]\nenable = True\nbackend = default\n');
    const { code, stderr } = await rbac('sync', '--config-file', join(base, 'svc.conf'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ERROR: With roles on, somebody must be an administrator/);
    expect(await rolesOf('ada')).toEqual([]);
    expect((await rbac('sync')).code).toBe(0);
  });

  it('reports which process uses the embedded store', async () => {
    valid();
    const { code, stderr } = await withStore(() => rbac('sync'));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/in use by process \d+\. Use --api, or stop it first/)]);
  });

  it('fails without definition files', async () => {
    const { code, stderr } = await rbac('sync');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${join(base, 'rbac')} cannot be read`)]);
  });

  it('can be run as the script of StackStorm, with its options', async () => {
    valid();
    write('svc.conf', `[system]\nbase_path = ${base}\n`);
    const words = ['-v', '--config-file', join(base, 'svc.conf'), '--config-dir', '/etc/st2', '--use-debugger'];
    const { status, stderr } = spawnSync(SCRIPT, words, { encoding: 'utf8' });
    expect([status, stderr.match(/(?<=: )\S+(?= is not used)/g)]).toEqual([
      0,
      ['-v', '--config-dir', '--use-debugger'],
    ]);
    expect(await rolesOf('ada')).toEqual(['admin', 'readers']);
  });
});

describe('svc rbac validate', () => {
  it('checks files without a store', async () => {
    valid();
    const { code, stdout } = await svc(['rbac', 'validate', join(base, 'rbac')], { HOME: '/nowhere' });
    expect([code, stdout]).toEqual([
      0,
      `The definition files in ${join(base, 'rbac')} are valid (roles: 1, assignments: 1, mappings: 0).\n`,
    ]);
  });

  it('prints problems as a document', async () => {
    valid();
    write('rbac/mappings/ops.yaml', 'group: ops\nroles: [writers]');
    const { code, stdout } = await rbac('validate', '-j');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      directory: join(base, 'rbac'),
      problems: [{ file: 'mappings/ops.yaml', line: 2, text: 'roles: No enabled file defines the role "writers"' }],
    });
  });
});
