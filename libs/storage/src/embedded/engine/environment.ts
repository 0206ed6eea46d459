import { open, type RootDatabase, type TransactionFlags } from 'lmdb';

/** Half-open range of keys. */
export interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

export interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

const FIRST_CHUNK = 16;
const LARGEST_CHUNK = 512;
/** LMDB_SYNCHRONOUS_COMMIT without waiting for the disk; `Checkpoints` looks after that. */
const COMMIT_FLAGS = 0x10002 as TransactionFlags;

/**
 * The LMDB environment: one ordered map of bytes. It is opened without syncing, so that a commit costs a few
 * microseconds and lies in the operating system's cache, which outlives the process.
 */
export class Environment {
  private readonly database: RootDatabase<Buffer, Buffer>;
  /** Counts every changed key. */
  changes = 0;
  private closed = false;

  constructor(readonly path: string) {
    this.database = open<Buffer, Buffer>({
      path,
      encoding: 'binary',
      keyEncoding: 'binary',
      noSubdir: true,
      noSync: true,
      maxReaders: 64,
    });
  }

  /** The bytes of a key; valid until the next call. */
  get(key: Buffer): Buffer | undefined {
    // lmdb answers a large view whose length alone is right: comparing it needs a view of just the value.
    const found = this.opened.getBinaryFast(key);
    return found && found.subarray(0, found.length);
  }

  getCopy(key: Buffer): Buffer | undefined {
    return this.opened.getBinary(key);
  }

  put(key: Buffer, value: Buffer): void {
    this.changes += 1;
    this.opened.putSync(key, value);
  }

  remove(key: Buffer): void {
    this.changes += 1;
    this.opened.removeSync(key);
  }

  /** Runs writes in one transaction: all of them are kept, or, when `action` or the commit throws, none. */
  transact<T>(action: () => T): T {
    return this.opened.transactionSync(action, COMMIT_FLAGS);
  }

  /** How many keys lie in a range. */
  count({ start, end }: KeyRange): number {
    return this.opened.getKeysCount({ start, end });
  }

  /** How many keys lie in a range, or `limit` when there are more. */
  countUpTo({ start, end }: KeyRange, limit: number): number {
    return Array.from(this.opened.getKeys({ start, end, limit })).length;
  }

  /** The entries of a range in order. Reads in chunks, so it may be left and taken up again at any time. */
  *entries({ start, end }: KeyRange, reverse = false): Generator<Entry, void, undefined> {
    let limit = FIRST_CHUNK;
    let from: Buffer | undefined;
    for (;;) {
      const options = reverse
        ? { start: from ?? end, end: start, reverse, exclusiveStart: true, inclusiveEnd: true, limit }
        : { start: from ?? start, end, exclusiveStart: from !== undefined, limit };
      const chunk = Array.from(this.opened.getRange(options));
      yield* chunk;
      const last = chunk.at(-1);
      if (last === undefined || chunk.length < limit) return;
      from = last.key;
      limit = Math.min(limit * 4, LARGEST_CHUNK);
    }
  }

  /** Keeps the present state readable until the answer is called. */
  pin(): () => void {
    this.database.resetReadTxn();
    const transaction = this.database.useReadTransaction();
    return () => transaction.done();
  }

  get pageSize(): number {
    return (this.database.getStats() as { pageSize: number }).pageSize;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.database.close();
  }

  /** The native code does not check this itself. */
  private get opened(): RootDatabase<Buffer, Buffer> {
    if (this.closed) throw new Error('The embedded store is closed');
    return this.database;
  }
}
