import { backoffMs, SECOND_MS, type Backoff, type Clock } from '@switchyard/base';
import type { SensorStateRecord } from '@switchyard/model';
import type { RecordChange, SensorStateRepository } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';

const RETRY: Backoff = { initialMs: 200, factor: 2, maxMs: 5 * SECOND_MS };

type SensorChange = RecordChange<SensorStateRecord>;

export interface StateWriterDeps {
  readonly states: Pick<SensorStateRepository, 'change'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly ref: string;
  /** Id of this container. */
  readonly instance: string;
  /** Called once when the sensor belongs to another container. */
  readonly onLost: () => void;
}

/** Writes the state of a sensor, in order. Callers do not wait for the writes, because an unavailable store must not
 * stop the sensor. */
export interface StateWriter {
  write(change: SensorChange): void;
  /** Checks in the store whether this container still owns the sensor; if not, calls `onLost`. */
  confirm(): void;
  /** Writes the last change. Retries only for a while, because other containers notice the end of this one by its
   * lease. */
  finish(change: SensorChange): Promise<void>;
}

const LAST_TRIES = 5;

export function createStateWriter({ states, clock, logger, ref, instance, onLost }: StateWriterDeps): StateWriter {
  let queue: Promise<void> = Promise.resolve();
  let triesLeft = Number.POSITIVE_INFINITY;
  let lost = false;

  async function store(change: SensorChange): Promise<void> {
    for (let attempt = 1; !lost; attempt++) {
      try {
        if (await states.change(ref, instance, change)) return;
        lost = true;
        onLost();
      } catch (error) {
        logger.warn('Failed to store the state of a sensor.', { sensor: ref, error });
        if (--triesLeft <= 0) return;
        await new Promise<void>((resolve) => clock.after(backoffMs(RETRY, attempt), resolve));
      }
    }
  }
  const write = (change: SensorChange) => {
    queue = queue.then(() => store(change));
  };
  return {
    write,
    // Sets the same value again: only the filter matters.
    confirm: () => write({ set: { 'owner.instance': instance } }),
    async finish(change) {
      triesLeft = LAST_TRIES;
      write(change);
      await queue;
    },
  };
}
