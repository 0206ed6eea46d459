import { fault, MINUTE_MS, type Clock, isPlainObject, messageOf } from '@switchyard/base';
import { maskAddresses } from '@switchyard/model';
import {
  type FetchOptions,
  type ProxyVariables,
  type IndexEntry,
  type IndexStatus,
  type ReadIndex,
  fetchIndex,
  IndexError,
} from './fetch-index';

export interface PackIndexDeps extends Pick<FetchOptions, 'timeoutMs' | 'maxBytes'> {
  /** `content.index_url`. For duplicate packs, the first index wins. */
  readonly addresses: readonly string[];
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: { warn(message: string, details?: Record<string, unknown>): void };
  proxies(): Promise<ProxyVariables>;
}

export interface MergedIndex {
  readonly status: readonly IndexStatus[];
  readonly packs: ReadonlyMap<string, IndexEntry>;
}

/** Merges all configured pack indexes. */
export interface PackIndex {
  /** Caches indexes for a minute. @throws Fault `pack-index.unusable` when no index can be used */
  read(): Promise<MergedIndex>;
  /** Reads every index now. Does not throw when none can be used. */
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
    // Failures are not cached, so that a recovered index is used at once.
    if (index.status.error === null) known.set(address, { atMs: clock.monotonicMs(), index });
    else logger.warn('A pack index is unusable.', { ...index.status });
    return index;
  }

  /** Concurrent reads of one index share a request. */
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

/** Reads one index. Errors are reported in the status. */
async function readIndex(address: string, options: FetchOptions): Promise<ReadIndex> {
  const url = maskAddresses(address);
  try {
    const packs = packsIn(await fetchIndex(address, options));
    return { packs, status: { url, packs: packs.size, message: 'Success.', error: null } };
  } catch (error) {
    const problem = error instanceof IndexError ? error.problem : 'other errors';
    return { packs: new Map(), status: { url, packs: 0, message: maskAddresses(messageOf(error)), error: problem } };
  }
}

function packsIn(text: string): Map<string, IndexEntry> {
  const document = parsed(text);
  if (!isPlainObject(document)) throw new IndexError('malformed', 'it is not a JSON object');
  if (Object.keys(document).length === 0) throw new IndexError('empty', 'it is an empty object');
  const { packs } = document;
  if (!isPlainObject(packs)) throw new IndexError('malformed', 'it has no "packs" object');
  return new Map(Object.entries(packs).filter((entry): entry is [string, IndexEntry] => isPlainObject(entry[1])));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new IndexError('malformed', `it is not JSON: ${messageOf(error)}`, { cause: error });
  }
}

const NOT_SEARCHED: readonly string[] = ['repo_url', 'email'];

/**
 * Finds packs that contain a text, ignoring case: matches in the name first, then in keywords, then elsewhere. It matches a
 * part of a text or a number, a whole list item, or a key of an object.
 */
export function searchIndex(packs: ReadonlyMap<string, IndexEntry>, query: string): IndexEntry[] {
  const wanted = query.trim().toLowerCase();
  const ranks: IndexEntry[][] = [[], [], []];
  for (const pack of packs.values()) {
    const rank = rankOf(pack, wanted);
    if (rank !== undefined) ranks[rank]?.push(pack);
  }
  return ranks.flat();
}

function rankOf(pack: IndexEntry, wanted: string): number | undefined {
  const hits = Object.keys(pack).filter((name) => !NOT_SEARCHED.includes(name) && occurs(wanted, pack[name]));
  if (hits.includes('name')) return 0;
  if (hits.includes('keywords')) return 1;
  return hits.length > 0 ? 2 : undefined;
}

function occurs(wanted: string, value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value).toLowerCase().includes(wanted);
  const parts = Array.isArray(value) ? value : Object.keys(value ?? {});
  return parts.some((part) => String(part).toLowerCase() === wanted);
}
