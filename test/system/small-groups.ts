import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@switchyard/all-in-one';
import { parse } from 'yaml';
import { ROOT } from './system-process';

interface Overrides {
  readonly services: Readonly<Record<string, { readonly command?: readonly string[] }>>;
}

/** The services of each process of a small installation, as its compose file groups them. */
export function smallGroups(): string[] {
  const text = readFileSync(join(ROOT, 'deploy/docker-compose.small.yml'), 'utf8');
  const groups = Object.values((parse(text) as Overrides).services).flatMap(({ command = [] }) => command);
  const grouped = groups.flatMap((names) => names.split(','));
  return [...groups, ...serviceNames.filter((name) => !grouped.includes(name))];
}
