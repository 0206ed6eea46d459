import { isPlainObject } from '@switchyard/base';
import type { IndexEntry } from './index-status';

const NOT_SEARCHED: readonly string[] = ['repo_url', 'email'];

/**
 * The packs in which a text occurs, case aside: those with it in their names first, then in their keywords, then the others.
 * It has to be within a text, a whole item of a list, or a key of an object.
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
  if (typeof value === 'string') return value.toLowerCase().includes(wanted);
  const parts = Array.isArray(value) ? value : isPlainObject(value) ? Object.keys(value) : [];
  return parts.some((part) => String(part).toLowerCase() === wanted);
}
