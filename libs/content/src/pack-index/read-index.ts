import { isPlainObject, messageOf } from '@switchyard/base';
import { maskAddresses } from '../virtualenvs/mask-addresses';
import { fetchIndex, type FetchOptions } from './fetch-index';
import { IndexError, type IndexEntry, type ReadIndex } from './index-status';

/** Reads one index. Whatever is wrong with it is in the status. */
export async function readIndex(address: string, options: FetchOptions): Promise<ReadIndex> {
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
  if (!isPlainObject(document)) throw new IndexError('malformed', 'it is no JSON object');
  if (Object.keys(document).length === 0) throw new IndexError('empty', 'it is an empty object');
  const { packs } = document;
  if (!isPlainObject(packs)) throw new IndexError('malformed', 'it has no object "packs"');
  return new Map(Object.entries(packs).filter((entry): entry is [string, IndexEntry] => isPlainObject(entry[1])));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new IndexError('malformed', `it is not JSON: ${messageOf(error)}`, { cause: error });
  }
}
