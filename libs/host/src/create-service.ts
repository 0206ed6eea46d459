import { deferred, type Deferred } from '@switchyard/base';
import type { Bus } from '@switchyard/messaging';
import type { HealthReport, Service } from './service';

export interface ServiceWork {
  readonly name: string;
  start(): Promise<void>;
  /** Finishes running work and takes no new work. The service has ended once this settles. */
  stop(): Promise<void>;
  /** Exits immediately: waits only for child processes and others that must not outlive the process. The service has
   * ended once this settles. */
  kill(): void | Promise<void>;
  /** Resolve it when the service ends by itself, or await it to find out when the service ends. */
  readonly ended?: Deferred<void>;
  /** The connection that the work depends on: without it the service is not ready. */
  readonly bus?: Pick<Bus, 'ready'>;
  /** Whether the service can work. Default: whether the bus is connected. */
  isReady?(): boolean;
  /** As in `Service`. */
  isFinishingWork?(): boolean;
  /** Further entries of the health report. */
  checks?(): HealthReport['checks'];
}

/** Builds a service from its `start`, `stop` and `kill` functions. */
export function createService({ ended = deferred(), bus, ...service }: ServiceWork): Service {
  const ending = (work: () => void | Promise<void>) => async () => {
    try {
      await work();
    } finally {
      ended.resolve();
    }
  };
  return {
    name: service.name,
    start: () => service.start(),
    stop: ending(() => service.stop()),
    kill: ending(() => service.kill()),
    finished: ended.promise,
    isFinishingWork: () => service.isFinishingWork?.() ?? false,
    health: () => ({
      live: true,
      ready: service.isReady?.() ?? bus?.ready() ?? true,
      checks: { ...(bus && { bus: bus.ready() ? 'ok' : 'not connected' }), ...service.checks?.() },
    }),
  };
}

/** A part that can be stopped, such as a consumer or a task. */
interface Stoppable {
  stop(): Promise<void>;
}

/** Stops all parts at the same time and waits for them. */
export async function stopAll(parts: readonly (Stoppable | undefined)[]): Promise<void> {
  await Promise.all(parts.map(async (part) => part?.stop()));
}

/** Stops parts without waiting for them. Meant for `kill`. */
export function dropAll(parts: readonly (Stoppable | undefined)[]): void {
  for (const part of parts) void part?.stop();
}
