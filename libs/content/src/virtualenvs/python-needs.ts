import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SYSTEM_PACKS } from '@switchyard/model';
import type { PackPlace } from '../packs/find-packs';
import { listPackFiles } from '../packs/list-pack-files';

/** What a pack wants of its virtual environment. */
export interface PythonNeeds {
  /** Arguments of `pip install`, options aside; empty when nothing is to be installed. */
  readonly install: readonly string[];
  /** Changes with the texts of its requirements. */
  readonly hash: string;
}

const REQUIREMENTS = 'requirements.txt';

/** The reference has it in every environment, so that packs use it without asking for it. */
const SIX = 'six>=1.9.0,<2.0';
const USES_SIX = /^\s*(import|from)\s+six\b/m;

/** @returns undefined for a pack that needs none: it has no Python, or is served by the system's interpreter */
export async function pythonNeeds({ name, directory }: PackPlace): Promise<PythonNeeds | undefined> {
  if (SYSTEM_PACKS.includes(name)) return undefined;
  const files = await listPackFiles(directory);
  const sources = files.filter((file) => file.endsWith('.py'));
  const requirements = files.filter((file) => /^requirements[^/]*\.txt$/.test(file));
  if (sources.length === 0 && !requirements.includes(REQUIREMENTS)) return undefined;
  const six = (await anyUses(directory, sources)) ? [SIX] : [];
  const install = [...six, ...(requirements.includes(REQUIREMENTS) ? ['-r', REQUIREMENTS] : [])];
  const hash = createHash('sha256').update(install.join('\n'));
  for (const file of requirements) hash.update(`\0${file}\0`).update(await readFile(join(directory, file)));
  return { install, hash: hash.digest('hex') };
}

async function anyUses(directory: string, sources: readonly string[]): Promise<boolean> {
  for (const file of sources) {
    if (USES_SIX.test(await readFile(join(directory, file), 'utf8'))) return true;
  }
  return false;
}
