import { deferred, MIB, SECOND_MS, type Deferred } from '@switchyard/base';
import { closeSync, constants, fdatasync, fstatSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { StoreEnvironment } from './environment';
import { isLogHeld } from './log-hold';

const sync = promisify(fdatasync);
/** After this many changed keys, or bytes in values, a sync starts immediately. */
const MOST_CHANGES = 5000;
const MOST_BYTES = 4 * MIB;
/** A log of this size is moved into the data file. */
const LOG_BYTES = 16 * MIB;

/**
 * Commits reach the operating system immediately and the disk later, without blocking the event loop:
 * 1. About every second the log is synced. Its entries carry checksums, so a power failure loses at most the changes
 *    since then, and never a part of a transaction.
 * 2. A large log is moved into the data file: sync the log, copy it, sync the data file, empty the log, sync the log.
 *    Writes wait for these steps, so log and data file together are complete on disk at every moment.
 * 3. While another process copies the files, a large log waits.
 * 4. The end of the process alone loses nothing: the next start finds the log.
 */
export class Durability {
  private readonly data: number;
  private readonly log: number;
  private asked = { changes: 0, bytesPut: 0 };
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private next: Deferred<void> | undefined;
  private failure: Error | undefined;
  private moving: Promise<void> | undefined;

  constructor(
    private readonly environment: StoreEnvironment,
    private readonly intervalMs = SECOND_MS,
  ) {
    this.data = openSync(environment.path, 'r+');
    this.log = openSync(environment.logPath, constants.O_RDWR | constants.O_CREAT, 0o600);
    syncDirectory(dirname(environment.path));
  }

  /** While this is set, writes must wait until it resolves. */
  get writesWait(): Promise<void> | undefined {
    return this.moving;
  }

  /** Call after each commit. */
  committed(): void {
    const { changes, bytesPut } = this.environment;
    if (changes - this.asked.changes >= MOST_CHANGES || bytesPut - this.asked.bytesPut >= MOST_BYTES) this.begin();
    else this.timer ??= setTimeout(() => this.begin(), this.intervalMs).unref();
  }

  /** Resolves when everything committed before the call is on disk. */
  flushed(): Promise<void> {
    this.next ??= deferred<void>();
    const { promise } = this.next;
    if (!this.running) this.start();
    return promise;
  }

  /** Throws if the disk has failed to store data: from then on, no write may be acknowledged. */
  assertWorking(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  /** Moves everything into the data file if there is room, or else leaves it in the log. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
    try {
      await sync(this.log);
      await this.move().catch(() => {});
    } finally {
      closeSync(this.log);
      this.environment.close();
      // Not earlier: closing any descriptor of the data file releases SQLite's locks on it.
      closeSync(this.data);
    }
  }

  /** Starts a sync in the background; if it fails, it is retried after the next commit. */
  private begin(): void {
    this.flushed().catch(() => {});
  }

  private start(): void {
    const waiting = this.next;
    this.next = undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    const { changes, bytesPut } = this.environment;
    this.asked = { changes, bytesPut };
    this.running = this.flush().then(
      () => waiting?.resolve(),
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'EIO') this.failure = error as Error;
        waiting?.promise.catch(() => {});
        waiting?.reject(error);
      },
    );
    void this.running.then(() => {
      this.running = undefined;
      if (this.next) this.start();
    });
  }

  private async flush(): Promise<void> {
    await sync(this.log);
    if (fstatSync(this.log).size >= LOG_BYTES && !isLogHeld(dirname(this.environment.path))) await this.move();
  }

  private async move(): Promise<void> {
    const moved = deferred<void>();
    this.moving = moved.promise;
    try {
      await sync(this.log);
      if (!this.environment.copyLog()) return;
      await sync(this.data);
      this.environment.clearLog();
      await sync(this.log);
    } finally {
      this.moving = undefined;
      moved.resolve();
    }
  }
}

/** After a power failure, new files are found only if their directory was synced too. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
