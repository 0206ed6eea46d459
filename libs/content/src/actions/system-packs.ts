import { fault } from '@switchyard/base';

/**
 * Content that ships with the product is not changed through the API.
 * @param packs `core` by default; clones are kept out of every pack in `SYSTEM_PACKS`
 * @throws Fault `content.system-pack`
 */
export function refuseSystemPack(pack: string, packs: readonly string[] = ['core']): void {
  if (packs.includes(pack)) throw fault('content.system-pack');
}
