import { messageOf } from '@switchyard/base';
import type { Service } from './service';

/** What of a process is needed to run services in it. */
export interface HostProcess {
  on(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): void;
}

export interface RunOptions {
  process: HostProcess;
  logger: {
    info(message: string, fields?: Record<string, unknown>): void;
    error(message: string, fields?: Record<string, unknown>): void;
  };
  /** Called after all services have ended: closes what they share. */
  release?: () => Promise<void>;
  /** Called once every service has started. */
  started?: () => Promise<void>;
}

/**
 * Starts services in order and keeps the process until they have ended.
 *
 * 1. The first SIGTERM or SIGINT stops them in reverse order: nothing new is taken, what is under way is finished.
 * 2. The second one kills them and leaves at once.
 * 3. A service that ends by itself with an error stops the others; the process exits with 1.
 */
export async function runServices(services: readonly Service[], options: RunOptions): Promise<void> {
  const { logger } = options;
  const started: Service[] = [];
  let signals = 0;
  let failed = false;
  const stopAll = async () => {
    for (const service of [...started].reverse()) await service.stop();
  };
  const onSignal = () => {
    signals++;
    if (signals === 1) {
      logger.info('Stopping: work under way is finished first. A second signal leaves at once.');
      void stopAll().catch((error: unknown) => logger.error('Stopping failed.', { error: messageOf(error) }));
    } else if (signals === 2) {
      void Promise.allSettled(started.map((service) => service.kill())).then(() => options.process.exit(1));
    }
  };
  options.process.on('SIGTERM', onSignal);
  options.process.on('SIGINT', onSignal);
  try {
    for (const service of services) {
      if (signals > 0) break;
      await service.start();
      started.push(service);
    }
    if (signals === 0) await options.started?.();
    await Promise.all(started.map((service) => service.finished));
  } catch (error) {
    failed = true;
    logger.error('A service has ended because of an error.', { error: messageOf(error) });
    await stopAll().catch((stopError: unknown) => logger.error('Stopping failed.', { error: messageOf(stopError) }));
  }
  await options.release?.();
  if (failed) options.process.exit(1);
}
