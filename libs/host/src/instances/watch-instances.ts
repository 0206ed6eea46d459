import { messageOf, type Clock } from '@switchyard/base';
import type { InstanceRecord } from '@switchyard/model';
import type { InstanceRepository } from '@switchyard/storage';
import { createTask } from '../task';
import { LOOKS_PER_LEASE, observeInstances } from './observe-instances';

/** Follows which processes are alive, so that the answer is right whenever somebody asks. */
export interface InstanceWatch {
  start(): void;
  stop(): Promise<void>;
  /** The living instances of all services, with one read. */
  alive(): Promise<InstanceRecord[]>;
}

export interface WatchOptions {
  instances: Pick<InstanceRepository, 'list'>;
  clock: Clock;
  logger: { warn(message: string, fields?: Record<string, unknown>): void };
  leaseMs: number;
}

/**
 * A single look cannot tell a dead process from a living one, so this looks a few times per lease. A process that was
 * killed is dead one lease later.
 */
export function watchInstances({ instances, clock, logger, leaseMs }: WatchOptions): InstanceWatch {
  const observer = observeInstances(instances, clock, leaseMs);
  let failing = false;
  const looking = createTask({
    clock,
    everyMs: leaseMs / LOOKS_PER_LEASE,
    async run() {
      await observer.lookAtAll();
      failing = false;
    },
    onError: (error) => {
      if (!failing) logger.warn('Failed to read which processes are running; retrying.', { error: messageOf(error) });
      failing = true;
    },
  });
  return {
    start: () => looking.wake(),
    stop: () => looking.stop(),
    alive: async () => (await observer.lookAtAll()).alive,
  };
}
