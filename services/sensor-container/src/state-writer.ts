import { backoffMs, SECOND_MS, type Backoff, type Clock } from '@switchyard/base';
import type { Change, SensorStateRepository } from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';

const RETRY: Backoff = { initialMs: 200, factor: 2, maxMs: 5 * SECOND_MS };

export interface StateWriterDeps {
  readonly states: Pick<SensorStateRepository, 'change'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly ref: string;
  /** Id of this container. */
  readonly instance: string;
  /** The sensor belongs to somebody else: called once. */
  readonly onLost: () => void;
}

/** Writes how a sensor goes, in order. Nobody waits for it: a store that is away must not keep a sensor from its work. */
export interface StateWriter {
  write(change: Change): void;
  /** Asks the store whether the sensor is still ours; `onLost` tells if not. */
  confirm(): void;
  /** The last change: tried for a while at most, since others notice without it that we are gone. */
  finish(change: Change): Promise<void>;
}

const LAST_TRIES = 5;

export function createStateWriter({ states, clock, logger, ref, instance, onLost }: StateWriterDeps): StateWriter {
  let queue: Promise<void> = Promise.resolve();
  let triesLeft = Number.POSITIVE_INFINITY;
  let lost = false;

  async function store(change: Change): Promise<void> {
    for (let attempt = 1; !lost; attempt++) {
      try {
        if (await states.change(ref, instance, change)) return;
        lost = true;
        onLost();
      } catch (error) {
        logger.warn('The state of a sensor could not be stored.', { sensor: ref, error });
        if (--triesLeft <= 0) return;
        await new Promise<void>((resolve) => clock.after(backoffMs(RETRY, attempt), resolve));
      }
    }
  }
  const write = (change: Change) => {
    queue = queue.then(() => store(change));
  };
  return {
    write,
    // Sets what is set already: the filter is what counts.
    confirm: () => write({ set: { 'owner.instance': instance } }),
    async finish(change) {
      triesLeft = LAST_TRIES;
      write(change);
      await queue;
    },
  };
}
