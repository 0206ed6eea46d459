import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What this machine lacks for tests with system accounts; undefined if nothing. */
export function missingForPam(): string | undefined {
  if (process.geteuid?.() !== 0) return 'root';
  if (!existsSync('/etc/pam.d/login')) return 'PAM with the service login';
  return ['python3', 'useradd', 'chpasswd', 'chage', 'userdel', 'groupadd', 'groupdel'].find(
    (name) => spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name]).status !== 0,
  );
}

/** Runs a program that changes accounts. */
export function changeAccounts(program: string, args: readonly string[], input = ''): void {
  const { status, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

const unique = (): string => `svct${randomBytes(5).toString('hex')}`;

/** Accounts, groups and PAM services on this machine for the duration of a test file. */
export function temporaryAccounts() {
  const undo: (() => void)[] = [];
  return {
    /** An account in the named groups. It has no home directory and no shell. */
    account(password: string, groups: readonly string[] = []): string {
      const name = unique();
      changeAccounts('useradd', [
        '--no-create-home',
        '--shell',
        '/usr/sbin/nologin',
        '--groups',
        groups.join(','),
        name,
      ]);
      undo.push(() => changeAccounts('userdel', [name]));
      if (password !== '') changeAccounts('chpasswd', [], `${name}:${password}\n`);
      return name;
    },
    group(): string {
      const name = unique();
      changeAccounts('groupadd', [name]);
      undo.push(() => changeAccounts('groupdel', [name]));
      return name;
    },
    service(...rules: readonly string[]): { readonly name: string; remove(): void } {
      const name = unique();
      const path = join('/etc/pam.d', name);
      const remove = () => rmSync(path, { force: true });
      writeFileSync(path, rules.map((rule) => `${rule}\n`).join(''));
      undo.push(remove);
      return { name, remove };
    },
    remove(): void {
      for (const each of undo.splice(0).reverse()) each();
    },
  };
}
