import { fault, MINUTE_MS, type Clock } from '@switchyard/base';
import type { FetchOptions, ProxySettings } from './fetch-index';
import type { IndexEntry, IndexStatus, ReadIndex } from './index-status';
import { readIndex } from './read-index';

export interface PackIndexDeps extends Pick<FetchOptions, 'timeoutMs' | 'maxBytes'> {
  /** `content.index_url`: of equal packs the one in the leftmost index counts. */
  readonly addresses: readonly string[];
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: { warn(message: string, details?: Record<string, unknown>): void };
  proxies(): Promise<ProxySettings>;
}

export interface MergedIndex {
  readonly status: readonly IndexStatus[];
  readonly packs: ReadonlyMap<string, IndexEntry>;
}

/** All indexes of packs as if they were one. */
export interface PackIndex {
  /** What was read within the last minute is not read again. @throws Fault `pack-index.unusable` when no index can be used */
  read(): Promise<MergedIndex>;
  /** Reads every index now, and also answers when none can be used. */
  examine(): Promise<MergedIndex>;
}

const FRESH_MS = MINUTE_MS;

export function createPackIndex(deps: PackIndexDeps): PackIndex {
  const { addresses, clock, logger, proxies, timeoutMs, maxBytes } = deps;
  const known = new Map<string, { readonly atMs: number; readonly index: ReadIndex }>();
  const reading = new Map<string, Promise<ReadIndex>>();

  async function fetched(address: string): Promise<ReadIndex> {
    const limits = {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    };
    const index = await readIndex(address, { proxies: await proxies(), ...limits });
    // Failures are not remembered: an index that is back is there at once.
    if (index.status.error === null) known.set(address, { atMs: clock.monotonicMs(), index });
    else logger.warn('An index of packs cannot be used.', { ...index.status });
    return index;
  }

  /** Who wants the same at the same time waits for the same answer. */
  function readOne(address: string): Promise<ReadIndex> {
    const running = reading.get(address);
    if (running) return running;
    const mine = fetched(address).finally(() => reading.delete(address));
    reading.set(address, mine);
    return mine;
  }

  function remembered(address: string): ReadIndex | undefined {
    const found = known.get(address);
    if (found && clock.monotonicMs() - found.atMs < FRESH_MS) return found.index;
    known.delete(address);
    return undefined;
  }

  return {
    async read() {
      if (addresses.length === 0) throw fault('pack-index.none');
      const indexes = await Promise.all(addresses.map(async (address) => remembered(address) ?? readOne(address)));
      const merged = mergedOf(indexes);
      if (merged.status.some(({ error }) => error === null)) return merged;
      const tried = merged.status.map(({ url }) => url).join(', ');
      const status = merged.status.map(({ url, error, message }) => `${url}: ${error ?? ''} (${message})`).join('; ');
      throw fault('pack-index.unusable', { tried, status });
    },
    examine: async () => mergedOf(await Promise.all(addresses.map(readOne))),
  };
}

function mergedOf(indexes: readonly ReadIndex[]): MergedIndex {
  const packs = new Map<string, IndexEntry>();
  for (const index of indexes) for (const [ref, pack] of index.packs) if (!packs.has(ref)) packs.set(ref, pack);
  return { status: indexes.map(({ status }) => status), packs };
}
