import { deferred, SECOND_MS, type Deferred } from '@switchyard/base';
import { closeSync, existsSync, fdatasync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { bootId } from './boot-id';
import { readCheckpoint, writeCheckpoint } from './checkpoint-file';
import type { Environment } from './environment';

const sync = promisify(fdatasync);
const ROOT_PAGES = 2;
/** After this many changed keys a checkpoint is taken at once: the pages that it keeps readable cannot be reused. */
const MOST_CHANGES = 5000;

/**
 * Commits reach the operating system at once and the disk later. That alone would let a power failure leave a data file
 * whose root is newer than its pages. So:
 * 1. A checkpoint pins the committed state, waits until the disk has it, and stores a copy of its root pages.
 * 2. Until the next one is complete, none of its pages is reused, since a read transaction holds it.
 * 3. After a power failure (another boot, not closed in order) the root pages are put back: the store is as it was at
 *    the checkpoint. After a mere end of the process nothing is lost and nothing is put back.
 */
export class Checkpoints {
  private readonly file: number;
  private sequence: number;
  private unpin = (): void => {};
  private changes = 0;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private next: Deferred<void> | undefined;
  private failure: Error | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly directory: string,
    private readonly intervalMs = SECOND_MS,
  ) {
    this.file = openSync(environment.path, 'r+');
    this.sequence = (readCheckpoint(directory)?.sequence ?? 0) + 1;
  }

  /** Says that something was committed. */
  committed(): void {
    if (this.environment.changes - this.changes >= MOST_CHANGES) this.begin();
    else this.timer ??= setTimeout(() => this.begin(), this.intervalMs).unref();
  }

  /** Resolves when everything that was committed before the call is on the disk. */
  flushed(): Promise<void> {
    this.next ??= deferred<void>();
    const { promise } = this.next;
    if (!this.running) this.start();
    return promise;
  }

  /** Throws when the disk has refused to keep what it was given: from then on nothing may be acknowledged. */
  assertWorking(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
    try {
      await this.take(true);
    } finally {
      this.unpin();
      closeSync(this.file);
    }
  }

  /** Takes a checkpoint that nobody waits for; one that fails is taken again after the next commit. */
  private begin(): void {
    this.flushed().catch(() => {});
  }

  private start(): void {
    const waiting = this.next;
    this.next = undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.changes = this.environment.changes;
    this.running = this.take(false).then(
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

  private async take(clean: boolean): Promise<void> {
    const unpin = this.environment.pin();
    try {
      const roots = this.readRoots();
      await sync(this.file);
      await writeCheckpoint(this.directory, { sequence: this.sequence, bootId: bootId(), clean, roots });
    } catch (error) {
      unpin();
      throw error;
    }
    this.sequence += 1;
    this.unpin();
    this.unpin = unpin;
  }

  private readRoots(): Buffer {
    const roots = Buffer.alloc(this.environment.pageSize * ROOT_PAGES);
    readSync(this.file, roots, 0, roots.length, 0);
    return roots;
  }
}

/** Puts a data file back to its last checkpoint when a power failure may have torn it. @returns whether it did */
export function recover(directory: string, dataFile: string): boolean {
  const checkpoint = existsSync(dataFile) ? readCheckpoint(directory) : undefined;
  if (!checkpoint || checkpoint.clean || checkpoint.bootId === bootId()) return false;
  const file = openSync(dataFile, 'r+');
  try {
    writeSync(file, checkpoint.roots, 0, checkpoint.roots.length, 0);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
  return true;
}
