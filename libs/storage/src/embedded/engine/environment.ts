import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';

/** Half-open range of keys. */
export interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

export interface StoreEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

const FIRST_CHUNK = 16;
const LARGEST_CHUNK = 512;
/** Keys that are tested are read in chunks of this size: nobody knows how many of them match. */
const TEXTS_AT_ONCE = 64;
const MOST_PROBLEMS = 20;
/** Entries above a quarter of a page are stored in pages of their own, and most executions have 1 to 2 kB. Existing stores keep 4 kB. */
const PAGE_BYTES = 8 * 1024;
/** Decoded documents have their own cache, and the operating system caches the file. With 60,000 executions, doubling
 * this had no effect. */
const PAGE_CACHE_KIB = 8 * 1024;

/**
 * The write-ahead log belongs to this process alone, and SQLite neither syncs it nor copies it into the data file: a commit
 * takes microseconds and stays in the operating system's cache, which survives the process. `Durability` takes care of the
 * disk.
 */
const SETTINGS = `
  PRAGMA page_size = ${PAGE_BYTES};
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  PRAGMA wal_autocheckpoint = 0;
  PRAGMA journal_size_limit = -1;
  PRAGMA cache_size = -${PAGE_CACHE_KIB};
  PRAGMA temp_store = MEMORY;
  CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
`;

/** Prepared statements keep a closed connection, and with it the file's locks, until they are collected, so release them. */
const LEAVE = `
  PRAGMA synchronous = FULL;
  PRAGMA journal_mode = DELETE;
  PRAGMA locking_mode = NORMAL;
  SELECT count(*) FROM sqlite_schema;
`;

type Scan = Record<'forward' | 'after' | 'backward', StatementSyncInstance>;
type Row = [key: Uint8Array, value?: Uint8Array];

const NOTHING = Buffer.alloc(0);

/** One ordered map of bytes, kept in an SQLite file. */
export class StoreEnvironment {
  /** Counts every changed key. */
  changes = 0;
  /** Counts the bytes of all written values. */
  bytesPut = 0;
  private readonly database: InstanceType<typeof DatabaseSync>;
  private readonly statements: ReturnType<typeof prepare>;
  private closed = false;

  constructor(readonly path: string) {
    this.database = new DatabaseSync(path);
    this.database.exec(SETTINGS);
    this.statements = prepare(this.database);
  }

  /** The path of the log, which holds all commits since it was last emptied. */
  get logPath(): string {
    return `${this.path}-wal`;
  }

  get(key: Buffer): Buffer | undefined {
    const row = this.opened.get.get(key) as unknown as [Uint8Array] | undefined;
    return row && bufferOf(row[0]);
  }

  put(key: Buffer, value: Buffer): void {
    this.changes += 1;
    this.bytesPut += value.length;
    this.opened.put.run(key, value);
  }

  remove(key: Buffer): void {
    this.changes += 1;
    this.opened.remove.run(key);
  }

  /** Runs writes in one transaction: if `action` or the commit throws, none takes effect. */
  transact<T>(action: () => T): T {
    this.opened.begin.run();
    try {
      const result = action();
      this.statements.commit.run();
      return result;
    } catch (error) {
      if (this.database.isTransaction) this.statements.rollback.run();
      throw error;
    }
  }

  /** Counts the keys in a range. */
  count({ start, end }: KeyRange): number {
    return Number((this.opened.count.get(start, end) as unknown as [number])[0]);
  }

  /** Counts the keys in a range, up to `limit`. */
  countUpTo({ start, end }: KeyRange, limit: number): number {
    return Number((this.opened.countUpTo.get(start, end, limit) as unknown as [number])[0]);
  }

  /** The key that has `before` keys of the range before it in order; undefined if the range has fewer keys. */
  keyAfter({ start, end }: KeyRange, before: number, reverse = false): Buffer | undefined {
    const { forward, backward } = this.opened.keyAfter;
    const row = (reverse ? backward : forward).get(start, end, before) as unknown as [Uint8Array] | undefined;
    return row && bufferOf(row[0]);
  }

  /**
   * The entries of a range in order. Reads in chunks, so iteration may pause at any time.
   * @param first how many to read at first
   */
  entries(range: KeyRange, reverse = false, first = FIRST_CHUNK): Generator<StoreEntry, void, undefined> {
    return this.inChunks(range, reverse, this.opened.entries, first);
  }

  /** The same with empty values, because values may be large. */
  keys(range: KeyRange, reverse = false): Generator<StoreEntry, void, undefined> {
    return this.inChunks(range, reverse, this.opened.keys, FIRST_CHUNK);
  }

  /**
   * The keys of a range in order, as hexadecimal text, which compares like the keys. SQLite returns a chunk of them as one text, in a
   * fifth of the time of as many keys.
   */
  *keyTexts(range: KeyRange, reverse = false): Generator<string, void, undefined> {
    const { forward, after, backward } = this.opened.keyTexts;
    let { start, end } = range;
    for (let scan = reverse ? backward : forward; ; scan = reverse ? backward : after) {
      const [text] = scan.get(start, end, TEXTS_AT_ONCE) as unknown as [string | null];
      const texts = text === null ? [] : text.split(',');
      yield* texts;
      if (texts.length < TEXTS_AT_ONCE) return;
      const last = Buffer.from(texts.at(-1) ?? '', 'hex');
      if (reverse) end = last;
      else start = last;
    }
  }

  private *inChunks(
    { start, end }: KeyRange,
    reverse: boolean,
    { forward, after, backward }: Scan,
    first: number,
  ): Generator<StoreEntry, void, undefined> {
    let limit = first;
    let last: Uint8Array | undefined;
    for (;;) {
      const rows = reverse
        ? backward.all(start, last ?? end, limit)
        : last
          ? after.all(last, end, limit)
          : forward.all(start, end, limit);
      for (const [key, value] of rows as unknown as Row[])
        yield { key: bufferOf(key), value: value ? bufferOf(value) : NOTHING };
      if (rows.length < limit) return;
      last = (rows as unknown as Row[]).at(-1)?.[0];
      limit = Math.min(limit * 4, LARGEST_CHUNK);
    }
  }

  /** Defects of the file, in SQLite's words. */
  problems(): string[] {
    const rows = this.opened.check.all() as unknown as [string][];
    return rows.map(([text]) => text).filter((text) => text !== 'ok');
  }

  /** Copies the log into the data file. @returns whether it was copied completely */
  copyLog(): boolean {
    const [busy, inLog, copied] = this.opened.copyLog.get() as unknown as [number, number, number];
    return busy === 0 && inLog === copied;
  }

  /** Empties the log, which must have been copied. */
  clearLog(): void {
    this.opened.clearLog.get();
  }

  /** Moves everything into the data file and removes the log, unless there is no room. */
  close(): void {
    this.closed = true;
    try {
      this.database.exec(LEAVE);
    } finally {
      this.database.close();
    }
  }

  private get opened(): ReturnType<typeof prepare> {
    if (this.closed) throw new Error('The embedded store is closed');
    return this.statements;
  }
}

function prepare(database: InstanceType<typeof DatabaseSync>) {
  const statement = (sql: string): StatementSyncInstance => {
    const prepared = database.prepare(sql);
    prepared.setReturnArrays(true);
    return prepared;
  };
  const scan = (columns: string, whole = (rows: string) => rows): Scan => ({
    forward: statement(whole(`SELECT ${columns} FROM entries WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`)),
    after: statement(whole(`SELECT ${columns} FROM entries WHERE key > ? AND key < ? ORDER BY key LIMIT ?`)),
    backward: statement(whole(`SELECT ${columns} FROM entries WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT ?`)),
  });
  return {
    begin: statement('BEGIN IMMEDIATE'),
    commit: statement('COMMIT'),
    rollback: statement('ROLLBACK'),
    get: statement('SELECT value FROM entries WHERE key = ?'),
    put: statement('REPLACE INTO entries VALUES (?, ?)'),
    remove: statement('DELETE FROM entries WHERE key = ?'),
    entries: scan('key, value'),
    keys: scan('key'),
    // The rows of an ordered and limited selection are added up in its order.
    keyTexts: scan('key', (rows) => `SELECT group_concat(hex(key)) FROM (${rows})`),
    keyAfter: {
      forward: statement('SELECT key FROM entries WHERE key >= ? AND key < ? ORDER BY key LIMIT 1 OFFSET ?'),
      backward: statement('SELECT key FROM entries WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT 1 OFFSET ?'),
    },
    count: statement('SELECT count(*) FROM entries WHERE key >= ? AND key < ?'),
    countUpTo: statement('SELECT count(*) FROM (SELECT 1 FROM entries WHERE key >= ? AND key < ? LIMIT ?)'),
    copyLog: statement('PRAGMA wal_checkpoint(PASSIVE)'),
    check: statement(`PRAGMA quick_check(${MOST_PROBLEMS})`),
    clearLog: statement('PRAGMA wal_checkpoint(TRUNCATE)'),
  };
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
