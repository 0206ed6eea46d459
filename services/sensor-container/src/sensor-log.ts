import { newId, SECOND_MS, type Clock, type Micros } from '@switchyard/base';
import { createTask } from '@switchyard/host';
import type { SensorLogLine } from '@switchyard/model';
import type { SensorLogRepository } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';

export interface SensorLogDeps {
  readonly logs: Pick<SensorLogRepository, 'append' | 'sizes' | 'removeBefore'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly ref: string;
}

/**
 * Keeps the last lines of a sensor in the store, for users.
 *
 * 1. Lines are stored a second after the first one that waits, so that a busy sensor costs one write a second and a quiet
 *    one none.
 * 2. About `KEPT_LINES` are kept. While the store is unavailable, only the last ones wait.
 * 3. A lost line is no reason to stop a sensor: failures are logged.
 */
export interface SensorLogWriter {
  add(line: Omit<SensorLogLine, 'at'>): void;
  /** Stores what waits. */
  finish(): Promise<void>;
}

/** The lines that are kept of each sensor. */
const KEPT_LINES = 500;
/** Old lines are removed once there are this many more, so that not every write removes some. */
const SLACK = 100;
/** The rest of a longer line is dropped. */
const LONGEST_LINE = 4000;
const STORE_AFTER_MS = SECOND_MS;
const RETRY_AFTER_MS = 5 * SECOND_MS;

export function createSensorLog({ logs, clock, logger, ref }: SensorLogDeps): SensorLogWriter {
  let waiting: SensorLogLine[] = [];
  /** What is stored, oldest first; absent until it is read. Another container may have written it. */
  let stored: { readonly at: Micros; readonly count: number }[] | undefined;

  async function store(): Promise<void> {
    if (waiting.length === 0) return;
    stored ??= await logs.sizes(ref);
    const lines = waiting;
    const at = Math.max(clock.nowMicros(), (stored.at(-1)?.at ?? 0) + 1);
    waiting = [];
    try {
      await logs.append({ _id: newId(), sensor: ref, at, count: lines.length, lines });
    } catch (error) {
      waiting = [...lines, ...waiting].slice(-KEPT_LINES);
      throw error;
    }
    stored.push({ at, count: lines.length });
    await removeOld(stored);
  }

  async function removeOld(records: { readonly at: Micros; readonly count: number }[]): Promise<void> {
    let total = records.reduce((sum, { count }) => sum + count, 0);
    if (total <= KEPT_LINES + SLACK) return;
    while (total - records[0]!.count >= KEPT_LINES) total -= records.shift()!.count;
    await logs.removeBefore(ref, records[0]!.at);
  }

  const failed = (error: unknown) => logger.warn('Failed to store log lines of a sensor.', { sensor: ref, error });
  const task = createTask({
    clock,
    run: store,
    onError(error) {
      failed(error);
      task.wakeIn(RETRY_AFTER_MS);
    },
  });
  return {
    add({ text, ...line }) {
      waiting.push({ at: clock.nowMicros(), ...line, text: text.slice(0, LONGEST_LINE) });
      if (waiting.length > KEPT_LINES) waiting.shift();
      task.wakeIn(STORE_AFTER_MS);
    },
    async finish() {
      await task.stop();
      await store().catch(failed);
    },
  };
}
