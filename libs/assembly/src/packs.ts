import { cp, mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Paths } from '@switchyard/config';
import type { Assembly } from './assembly';

/** The packs that come with the product, in a directory next to its programs. */
const SHIPPED_PACKS = resolve(__dirname, '../../../packs');

/** The pack for content that users create without naming a pack. It must be in a directory that they may write to. */
const WRITABLE = 'default';

/** All directories of packs, starting with that of the users. */
export const packRootsOf = ({ platform: { paths } }: Assembly): string[] => [...paths.packsBasePaths, SHIPPED_PACKS];

/** Creates the users' directory of packs, with its default pack. */
export async function preparePacks({ packs }: Paths): Promise<void> {
  await mkdir(packs, { recursive: true });
  const target = join(packs, WRITABLE);
  const exists = await stat(target).then(
    () => true,
    () => false,
  );
  if (!exists) await cp(join(SHIPPED_PACKS, WRITABLE), target, { recursive: true });
}
