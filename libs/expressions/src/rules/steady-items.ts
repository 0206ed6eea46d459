import type { RuleSet } from '@switchyard/model';
import type { DatastoreKey } from '../jinja';
import type { DatastoreReader } from '../parameters/input';

type Keys = ReadonlyMap<string, DatastoreKey>;

/** Tracks the items that the rules of a trigger read for every event. */
export interface SteadyItems {
  readonly expected: number;
  /**
   * Reads them all at once instead of with one restart each. If an item cannot be read, the rule that needs it reports
   * the error.
   */
  fetch(reader: DatastoreReader): Promise<void>;
  /** Wraps the reader to record which items are read for this event. */
  noting(reader: DatastoreReader): Pick<DatastoreReader, 'read'>;
}

/** The items that the last two events with reads have read. An item in both is expected again. */
type Seen = readonly [before: Keys, last: Keys];

const seen = new WeakMap<RuleSet, Seen>();
const NOTHING: Seen = [new Map(), new Map()];

export function steadyItems(rules: RuleSet): SteadyItems {
  const [before, last] = seen.get(rules) ?? NOTHING;
  const steady = [...last].filter(([id]) => before.has(id)).map(([, key]) => key);
  return {
    expected: steady.length,
    async fetch(reader) {
      await Promise.allSettled(steady.map((key) => reader.supply(() => reader.read(key))));
    },
    noting(reader) {
      const keys = new Map<string, DatastoreKey>();
      return {
        read: (key) => {
          if (keys.size === 0) seen.set(rules, [seen.get(rules)?.[1] ?? last, keys]);
          keys.set(`${key.scope}/${key.decrypt}/${key.name}`, key);
          return reader.read(key);
        },
      };
    },
  };
}
