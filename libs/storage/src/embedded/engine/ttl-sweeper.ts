import { SECOND_MS } from '@switchyard/base';
import { matchingRecords, type RecordSource } from '../planner/matching';
import { parseQuery } from '../query/parse-filter';
import type { IndexRecord } from '../indexes/index-definition';

/** The part of the store needed for sweeping. */
export interface Sweepable {
  collectionNames(): string[];
  source(name: string): RecordSource;
  write<T>(run: () => T): Promise<T>;
}

export interface Sweeper {
  stop(): Promise<void>;
}

const BATCH = 200;

/** Periodically removes documents whose date in a TTL index has passed. The timer does not keep the process alive. */
export function startSweeper(database: Sweepable, intervalSeconds: number): Sweeper {
  let stopped = false;
  let running = Promise.resolve();
  const sweep = () => {
    running = running.then(() => sweepAll(database, () => stopped)).catch(() => {});
  };
  const timer = setInterval(sweep, intervalSeconds * SECOND_MS).unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

async function sweepAll(database: Sweepable, stopped: () => boolean): Promise<void> {
  for (const name of database.collectionNames()) {
    const source = database.source(name);
    for (const { record } of source.store.indexes) {
      if (record.expireAfterSeconds === undefined) continue;
      while (!stopped() && (await database.write(() => sweepOnce(source, record))) === BATCH);
    }
  }
}

/** @returns the number of removed documents, at most `BATCH` */
function sweepOnce(source: RecordSource, { key, expireAfterSeconds = 0 }: IndexRecord): number {
  const [path] = Object.keys(key) as [string];
  const before = new Date(Date.now() - expireAfterSeconds * SECOND_MS);
  const filter = parseQuery({ [path]: { $lte: before } });
  const expired = Array.from(matchingRecords(source, { filter, limit: BATCH })).filter(
    (stored) => stored !== undefined,
  );
  for (const stored of expired) source.store.remove(stored);
  return expired.length;
}
