import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { maskAddresses } from '@switchyard/model';
import type { NewEnvironment } from './make-environment';

/** In the directory of an environment: every package in it with its exact version, as a requirements file. */
export const LOCK_FILE = 'requirements.lock';

/** Lists what was installed into an environment, without starting pip. */
export async function writeLockFile({ place, target, interpreter }: NewEnvironment): Promise<void> {
  const library = join(target, 'lib');
  const lines: string[] = [];
  for (const version of (await readdir(library)).filter((name) => name.startsWith('python'))) {
    const packages = join(library, version, 'site-packages');
    const infos = (await readdir(packages)).filter((name) => name.endsWith('.dist-info'));
    lines.push(...(await Promise.all(infos.map((info) => requirementOf(join(packages, info))))));
  }
  const [version] = interpreter.version.split(' ');
  const head = `# Installed for ${place.name} with Python ${version}. To install the same: pip install --no-deps -r ${LOCK_FILE}\n`;
  await writeFile(
    join(target, LOCK_FILE),
    head +
      lines
        .sort()
        .map((line) => `${line}\n`)
        .join(''),
  );
}

/** What pip records about a package that did not come from an index. */
interface DirectUrl {
  readonly url: string;
  readonly vcs_info?: { readonly vcs: string; readonly commit_id: string };
}

async function requirementOf(info: string): Promise<string> {
  const metadata = await readFile(join(info, 'METADATA'), 'utf8').catch(() => '');
  const [name = '', version = ''] = ['Name', 'Version'].map(
    (field) => new RegExp(`^${field}: *(\\S+)`, 'm').exec(metadata)?.[1],
  );
  const noted = await readFile(join(info, 'direct_url.json'), 'utf8').catch(() => undefined);
  if (noted === undefined) return `${name}==${version}`;
  const { url, vcs_info: vcs } = JSON.parse(noted) as DirectUrl;
  return maskAddresses(vcs ? `${name} @ ${vcs.vcs}+${url}@${vcs.commit_id}` : `${name} @ ${url}`);
}
