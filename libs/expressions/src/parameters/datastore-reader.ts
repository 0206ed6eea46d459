import { MissingItem, type DatastoreKey } from '../jinja';
import { Turns } from '../turns/turns';

/** Each item costs one more rendering. */
const MOST_ITEMS = 200;

/**
 * Lets synchronous rendering read the datastore: a missing item stops the rendering, is fetched, and the rendering
 * restarts. So only items that a template uses are read, each once, and templates may compute their names.
 */
export class DatastoreReader {
  private readonly items = new Map<string, string | undefined>();

  constructor(private readonly lookup: (key: DatastoreKey) => Promise<string | undefined>) {}

  readonly read = (key: DatastoreKey): string | undefined => {
    const id = idOf(key);
    if (!this.items.has(id)) throw new MissingItem(key);
    return this.items.get(id);
  };

  /** Runs work that reads items, in turns. @param turns state of an earlier attempt, if any */
  supply<T>(work: () => T, turns = new Turns()): Promise<T> {
    return turns.repeat(work, async (interruption) => {
      if (!(interruption instanceof MissingItem)) throw interruption;
      if (this.items.size >= MOST_ITEMS) throw new Error(`more than ${MOST_ITEMS} datastore items are read`);
      this.items.set(idOf(interruption.key), await this.lookup(interruption.key));
    });
  }
}

const idOf = ({ scope, name, decrypt }: DatastoreKey): string => `${scope}/${decrypt ? 'plain' : 'stored'}/${name}`;
