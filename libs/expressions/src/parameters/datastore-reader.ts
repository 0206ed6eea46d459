import { MissingItem, type DatastoreKey } from '../jinja';
import { Turns } from '../turns/turns';

/** Each item read costs one more rendering. */
const MOST_ITEMS = 200;

/**
 * Lets rendering, which cannot wait, read a datastore that must be waited for: an item that was not read yet stops the
 * rendering, is fetched, and the rendering starts anew. So nothing is read that no template asks for, names may be made up
 * while rendering, and each item is read once.
 */
export class DatastoreReader {
  private readonly items = new Map<string, string | undefined>();

  constructor(private readonly lookup: (key: DatastoreKey) => Promise<string | undefined>) {}

  readonly read = (key: DatastoreKey): string | undefined => {
    const id = idOf(key);
    if (!this.items.has(id)) throw new MissingItem(key);
    return this.items.get(id);
  };

  /** Does work in turns that reads items. @param turns of an attempt that was made before */
  supply<T>(work: () => T, turns = new Turns()): Promise<T> {
    return turns.repeat(work, async (interruption) => {
      if (!(interruption instanceof MissingItem)) throw interruption;
      if (this.items.size >= MOST_ITEMS) throw new Error(`more than ${MOST_ITEMS} datastore items are read`);
      this.items.set(idOf(interruption.key), await this.lookup(interruption.key));
    });
  }
}

const idOf = ({ scope, name, decrypt }: DatastoreKey): string => `${scope}/${decrypt ? 'plain' : 'stored'}/${name}`;
