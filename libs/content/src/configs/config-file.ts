import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fault, messageOf, randomHex } from '@switchyard/base';
import { needsQuotes } from '@switchyard/yaml';
import type { Scalar } from 'yaml';
import { PACK_REF, RESERVED_PACK_REF } from '../packs/find-packs';

/** Not readable by others, because the file may contain secrets. */
const MODE = 0o640;
const DIRECTORY_MODE = 0o750;

/** The path of a pack's configuration. */
export const configFile = (directory: string, pack: string): string => join(directory, `${pack}.yaml`);

/** File systems rarely allow much longer names. */
const LONGEST_NAME = 200;

/** Like `configFile`, for a name from a request. @throws Fault `pack.config-name` for an invalid pack name */
export function namedConfigFile(directory: string, pack: string): string {
  const isValid = PACK_REF.test(pack) && pack !== RESERVED_PACK_REF && pack.length <= LONGEST_NAME;
  if (!isValid) throw fault('pack.config-name', { pack });
  return configFile(directory, pack);
}

/**
 * Replaces a file atomically. Writes the new text to disk, runs `store`, then renames the new file. If any step fails, the
 * file is unchanged.
 * @param store stores the content elsewhere; the function it returns undoes that if the rename fails
 * @throws Fault `pack.config-write`, and whatever `store` throws
 */
export async function replaceFile(
  path: string,
  text: string,
  store: () => Promise<() => Promise<void>>,
): Promise<void> {
  const staged = join(dirname(path), `.${randomHex(8)}.tmp`);
  try {
    await unlessWritable(path, () => writeNew(staged, text, path));
    const undo = await store();
    await unlessWritable(path, () => rename(staged, path)).catch(async (error: unknown) => {
      await undo();
      throw error;
    });
  } finally {
    // If removing fails, writing failed too, and that error is reported.
    await rm(staged, { force: true }).catch(() => undefined);
  }
}

async function writeNew(staged: string, text: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
  const file = await open(staged, 'wx', await modeOf(path));
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Keeps stricter permissions of an existing file. */
const modeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mode }) => mode & MODE,
    () => MODE,
  );

async function unlessWritable<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw fault('pack.config-write', { path, reason: messageOf(error) }, { cause: error });
  }
}

/** PyYAML reads a number without a dot before its exponent as text. */
const exponent = {
  tag: 'tag:yaml.org,2002:float',
  identify: (value: unknown) => typeof value === 'number' && /^-?\d+e/.test(String(value)),
  resolve: (text: string) => Number(text),
  stringify: ({ value }: { value?: unknown }) => String(value).replace('e', '.0e'),
};

/** Characters that YAML does not allow, or that it reads as line breaks and blanks. */
const ESCAPED = /[\0-\t\v-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\p{Cs}/u;

/** Quotes texts that would otherwise read as another type, or as another text. */
const quotedText = {
  tag: 'tag:yaml.org,2002:str',
  identify: (value: unknown) => typeof value === 'string' && (needsQuotes(value) || ESCAPED.test(value)),
  resolve: (text: string) => text,
  stringify: ({ value }: Scalar) =>
    JSON.stringify(value).replace(
      new RegExp(ESCAPED, 'gu'),
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
};

/** Writes values as YAML that reads back unchanged, also with PyYAML. */
export async function configYaml(values: Record<string, unknown>): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(values, {
    version: '1.1',
    lineWidth: 0,
    aliasDuplicateObjects: false,
    customTags: (tags) => [exponent, quotedText, ...tags],
  });
}
