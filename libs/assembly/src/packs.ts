import { cp, mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Paths } from '@switchyard/config';
import type { Assembly } from './assembly';

/** The packs that come with the product, beside its programs. */
const SHIPPED_PACKS = resolve(__dirname, '../../../packs');

/** The pack that takes what users create without naming one: it has to be where they may write. */
const WRITABLE = 'default';

/** Every directory of packs, the users' own first. */
export const packRootsOf = ({ platform: { paths } }: Assembly): string[] => [...paths.packsBasePaths, SHIPPED_PACKS];

/** Makes the users' directory of packs, with its default pack. */
export async function preparePacks({ packs }: Paths): Promise<void> {
  await mkdir(packs, { recursive: true });
  const target = join(packs, WRITABLE);
  const exists = await stat(target).then(
    () => true,
    () => false,
  );
  if (!exists) await cp(join(SHIPPED_PACKS, WRITABLE), target, { recursive: true });
}
