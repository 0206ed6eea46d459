import { accessSync, constants, statSync } from 'node:fs';
import { messageOf } from '@switchyard/base';
import type { Config } from './config';
import type { ConfigFinding } from './config-finding';
import { isLegacy } from './option';
import { optionSections } from './option-table';
import type { Setting } from './settings';

/** One finding for each option that names a file or directory which this user cannot read. Defaults are not looked at. */
export function findUnreadableFiles(config: Config, applied: ReadonlyMap<string, Setting>): ConfigFinding[] {
  return [...namedPaths(config, applied)].flatMap(({ name, path, kind, origin }) => {
    const reason = whyUnreadable(path, kind);
    if (reason === undefined) return [];
    const message = `Configuration: ${name}: expected a ${kind} that can be read, got ${path}: ${reason}.`;
    return [{ kind: 'unreadable', message, origins: [origin], path }];
  });
}

interface NamedPath {
  readonly name: string;
  readonly path: string;
  readonly kind: 'file' | 'directory';
  readonly origin: string;
}

function* namedPaths(config: Config, applied: ReadonlyMap<string, Setting>): Generator<NamedPath> {
  const values = config as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  for (const [name, { origin }] of applied) {
    const [section = '', option = ''] = name.split('.');
    const entry = optionSections[section]?.[option];
    const path = values[section]?.[option];
    if (!entry || isLegacy(entry) || entry.mustExist === undefined || typeof path !== 'string') continue;
    yield { name, path, kind: entry.mustExist, origin };
  }
  const { backend, backend_kwargs: settings } = config.auth;
  const passwords = settings?.['file_path'];
  const setting = applied.get('auth.backend_kwargs');
  if (backend === 'flat_file' && typeof passwords === 'string' && setting)
    yield { name: 'file_path in auth.backend_kwargs', path: passwords, kind: 'file', origin: setting.origin };
}

function whyUnreadable(path: string, kind: 'file' | 'directory'): string | undefined {
  try {
    const isDirectory = statSync(path).isDirectory();
    if (isDirectory !== (kind === 'directory')) return isDirectory ? 'it is a directory' : 'it is a file';
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return unreadableReason(error);
  }
}

export function unreadableReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return (code !== undefined && reasons[code]) || messageOf(error);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user has no permission',
};
