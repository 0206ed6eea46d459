import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '@switchyard/base';
import { paths, type Config } from '@switchyard/config';
import { createValueCipher } from '@switchyard/datastore';
import { createSealer, readKeyRing } from '@switchyard/storage';
import { rewriteKeyFile, withFormerKeys, type SealedSample } from '@switchyard/storage/transfer';
import { CommandError } from '../exit-codes';
import { KEY_FILES } from './archived-files';

type Ring = keyof typeof KEY_FILES;

export interface KeyNeeds {
  readonly config: Config;
  readonly samples: readonly SealedSample[];
  /** The key files of the archive, by their names in it. */
  readonly archived: ReadonlyMap<string, Buffer>;
  /** Add the keys of the archive to existing ones. */
  readonly reseal: boolean;
}

/**
 * Makes sure that the system can decrypt the values of an archive.
 * @returns whether keys were added to those of the system @throws CommandError if it cannot decrypt them
 */
export async function provideKeys(needs: KeyNeeds): Promise<boolean> {
  let added = false;
  for (const ring of ['records', 'datastore'] as const) added = (await provideKeysOf(ring, needs)) || added;
  return added;
}

async function provideKeysOf(ring: Ring, { config, samples, archived, reseal }: KeyNeeds): Promise<boolean> {
  const path = pathOf(config, ring);
  const text = archived.get(KEY_FILES[ring])?.toString();
  const needed = samples.filter((sample) => sample.ring === ring);
  if (!existsSync(path) && text !== undefined) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  }
  let added = false;
  let problem = await problemWith(ring, path, needed);
  if (problem !== undefined && reseal && text !== undefined && existsSync(path)) {
    await rewriteKeyFile(path, (json) => ({ json: withFormerKeys(json, text), result: undefined }));
    added = true;
    problem = await problemWith(ring, path, needed);
  }
  if (problem === undefined) return added;
  const remedy =
    text === undefined
      ? 'Put the key file of the exported system there, or export with --with-secrets.'
      : 'Use --reseal to add the keys of the archive to it.';
  throw new CommandError(`The key file ${path} cannot decrypt the secrets of the archive: ${problem}. ${remedy}`);
}

const pathOf = (config: Config, ring: Ring): string => {
  const { recordKey, datastoreKey } = paths(config);
  return ring === 'records' ? recordKey : datastoreKey;
};

async function problemWith(ring: Ring, path: string, samples: readonly SealedSample[]): Promise<string | undefined> {
  if (samples.length === 0) return undefined;
  if (!existsSync(path)) return 'it does not exist';
  try {
    if (ring === 'datastore') {
      const cipher = createValueCipher({ enabled: true, path, mayCreate: false });
      for (const { value, record } of samples) await cipher.decrypt(value, record);
      return undefined;
    }
    const keys = await readKeyRing(path);
    if (!keys) return 'it does not exist';
    const { open } = createSealer(keys);
    for (const { value } of samples) open(value);
    return undefined;
  } catch (error) {
    return messageOf(error).replace(/\.$/, '');
  }
}
