import { MIB, slices } from '@switchyard/base';
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordSource } from '../planner/matching';
import { Catalogue } from './catalogue';
import { CollectionStore } from './collection-store';
import { lockDirectory, type DirectoryLock } from './directory-lock';
import { DocumentCache } from './document-cache';
import { Durability } from './durability';
import { StoreEnvironment } from './environment';
import { checkFormat } from './format-version';
import { newStats, type StoreStats } from './stats';
import { startSweeper, type Sweeper } from './ttl-sweeper';
import { WriteQueue } from './write-queue';

export interface EmbeddedOptions {
  /** Created if missing, accessible to its owner only. Only one process at a time can hold it. */
  readonly directory: string;
  /**
   * `commit`: a write is acknowledged once the operating system has it; it survives the process, and a power failure loses at
   * most the last second. `flush`: acknowledged once it is on disk.
   */
  readonly durability?: 'commit' | 'flush';
  /** How often expired documents are removed by TTL indexes. */
  readonly ttlSweepSeconds?: number;
  /**
   * Collections whose keys record completed work, also for damaged documents. In other collections, another document may take
   * the keys of a damaged one.
   */
  readonly journals?: readonly string[];
  /** Size of the cache of decoded documents, in bytes of their stored form. */
  readonly cacheBytes?: number;
}

const DEFAULT_SWEEP_SECONDS = 60;
const DEFAULT_CACHE_BYTES = 32 * MIB;
const DATA_FILE = 'data.sqlite';

/** An open store: collections by name, one queue for writes. */
export class Database {
  readonly stats: StoreStats = newStats();
  private readonly slice = slices();
  private readonly stores = new Map<string, CollectionStore>();
  private readonly cache: DocumentCache;
  private readonly catalogue: Catalogue;
  private readonly queue: WriteQueue;
  private readonly sweeper: Sweeper;
  private closing: Promise<void> | undefined;

  private constructor(
    readonly name: string,
    private readonly options: EmbeddedOptions,
    private readonly environment: StoreEnvironment,
    private readonly durability: Durability,
    private readonly lock: DirectoryLock,
  ) {
    this.cache = new DocumentCache(options.cacheBytes ?? DEFAULT_CACHE_BYTES);
    this.catalogue = new Catalogue(environment);
    const waitForDisk = options.durability === 'flush';
    this.queue = new WriteQueue(environment, durability, { waitForDisk, afterFailure: () => this.forget() });
    this.sweeper = startSweeper(this, options.ttlSweepSeconds ?? DEFAULT_SWEEP_SECONDS);
  }

  /** @throws Fault `storage.locked`, `storage.format` */
  static async open(name: string, options: EmbeddedOptions): Promise<Database> {
    makePrivate(options.directory);
    const lock = await lockDirectory(options.directory);
    try {
      checkFormat(options.directory);
      const file = join(options.directory, DATA_FILE);
      // SQLite gives its log the mode of the data file.
      closeSync(openSync(file, 'a', 0o600));
      chmodSync(file, 0o600);
      const environment = new StoreEnvironment(file);
      const durability = new Durability(environment);
      await durability.flushed();
      return new Database(name, options, environment, durability, lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** The number of keys of documents and indexes written or removed since opening. */
  get keysWritten(): number {
    return this.environment.changes;
  }

  get directory(): string {
    return this.options.directory;
  }

  collection(name: string): CollectionStore {
    let store = this.stores.get(name);
    if (!store) {
      const isJournal = this.options.journals?.includes(name) ?? false;
      store = new CollectionStore(name, this.environment, this.catalogue, this.cache, {
        namespace: `${this.name}.${name}`,
        isJournal,
      });
      this.stores.set(name, store);
    }
    return store;
  }

  /** The dependencies for reading one collection. */
  source(name: string): RecordSource {
    const { environment, stats, slice } = this;
    return { environment, store: this.collection(name), stats, slice };
  }

  collectionNames(): string[] {
    return this.catalogue.names();
  }

  /** Defects that SQLite finds in the data file. Reads the whole file. */
  fileProblems(): string[] {
    return this.environment.problems();
  }

  /** Queues a write. Resolves according to `durability`. */
  write<T>(run: () => T): Promise<T> {
    if (this.closing) return Promise.reject(new Error('The embedded store is closed'));
    return this.queue.add(run);
  }

  /** Resolves when everything acknowledged so far is on disk. */
  flush(): Promise<void> {
    return this.durability.flushed();
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    await this.sweeper.stop();
    await this.queue.drained();
    try {
      await this.durability.close();
    } finally {
      await this.lock.release();
    }
  }

  private forget(): void {
    this.cache.clear();
    for (const store of this.stores.values()) store.reload();
  }
}

/** Only the owner may read the directory, because records contain private data. */
function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if ((statSync(directory).mode & 0o077) !== 0) chmodSync(directory, 0o700);
}
