import { messageOf, SECOND_MS, type Clock, type Id } from '@switchyard/base';
import { createTask } from '@switchyard/host';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { TimerBook } from './timer-book';

export interface TimerReaderDeps {
  book: TimerBook;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'shift'>;
  /** Interval between two sweeps over all triggers. */
  everyMs: number;
  isHeld(): boolean;
  /** Called after the book has been updated. */
  onRead(): void;
}

/** Keeps the book of timers up to date while this process is the leader. */
export interface TimerReader {
  /** Reads one trigger again soon. */
  onChange(id: Id): void;
  /** Clears the book and reads all triggers. */
  readAfresh(): void;
  /** The same, when the clock of this process was set back. */
  readAfterSetBack(): void;
  stop(): Promise<void>;
}

const RETRY_MS = SECOND_MS;

export function createTimerReader(deps: TimerReaderDeps): TimerReader {
  const { book, clock, logger, metrics, everyMs, isHeld, onRead } = deps;
  const changed = new Set<Id>();
  let readAt: number | undefined;
  let shown = 0;

  const reading = createTask({
    clock,
    everyMs,
    onError: (error) => {
      logger.error('Failed to read timers; retrying.', { error: messageOf(error) });
      readAt = undefined;
      reading.wakeIn(RETRY_MS);
    },
    async run() {
      if (!isHeld()) return;
      const ids = [...changed];
      changed.clear();
      if (readAt === undefined || clock.monotonicMs() - readAt >= everyMs) {
        readAt = clock.monotonicMs();
        await book.readAll();
      } else for (const id of ids) await book.read(id);
      show();
      onRead();
    },
  });

  function show(): void {
    metrics.shift('timers.active', book.size - shown);
    shown = book.size;
  }

  const readAll = (isSetBack: boolean) => {
    readAt = undefined;
    changed.clear();
    book.clear(isSetBack);
    show();
    reading.wake();
  };

  return {
    onChange(id) {
      if (!isHeld()) return;
      changed.add(id);
      reading.wake();
    },
    readAfresh: () => readAll(false),
    readAfterSetBack() {
      if (!isHeld()) return;
      logger.warn('The clock was set back; intervals start again.');
      readAll(true);
    },
    stop: reading.stop,
  };
}
