import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfRegularFile } from '../files/regular-file';
import { listPackFiles, type PackPlace } from '../packs/find-packs';
import { SHARED_MODULES } from './shared-environment';

/** Every environment of a pack has this module (`set-up-virtualenv.ts`), so it does not require a shared one. */
const IN_EVERY_ENVIRONMENT = 'six';
const IMPORT = /^[ \t]*(?:import|from)[ \t]+(\w+)/gm;
/** Modules of the product that use packages of the shared environment, and a function that uses one if it can. */
const INDIRECT = /\b(?:st2|svc)common(?:\.| import )util\b|\bget_api_client\b/;

/** Whether some pack imports a module that the shared environment offers. */
export async function needsSharedEnvironment(places: readonly PackPlace[]): Promise<boolean> {
  const offered = new Set((await readFile(SHARED_MODULES, 'utf8')).split('\n'));
  offered.delete(IN_EVERY_ENVIRONMENT);
  for (const { directory } of places) {
    const sources = (await listPackFiles(directory)).filter((file) => file.endsWith('.py'));
    for (const file of sources) {
      const source = await readIfRegularFile(join(directory, file));
      if (source && needs(source.toString('latin1'), offered)) return true;
    }
  }
  return false;
}

const needs = (source: string, offered: ReadonlySet<string>): boolean =>
  INDIRECT.test(source) || [...source.matchAll(IMPORT)].some(([, name]) => name !== undefined && offered.has(name));
