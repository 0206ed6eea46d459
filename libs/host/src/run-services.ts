import { deferred, messageOf, SECOND_MS } from '@switchyard/base';
import { outliveErrors, type ErrorSource } from './last-resort';
import type { Service } from './service';

/** What of a process is needed to run services in it. */
export interface HostProcess extends ErrorSource {
  on(...listening: Parameters<ErrorSource['on']> | [signal: 'SIGTERM' | 'SIGINT', listener: () => void]): unknown;
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
  /** Milliseconds after which people are told, again and again, whose end is waited for (10 s). */
  tellStopMs?: number;
  /** Milliseconds that a service which is just starting still gets for that after a signal (10 s). */
  finishStartMs?: number;
}

/** How long killed services may take to end what they have started. */
const KILL_MS = 10 * SECOND_MS;
const TELL_STOP_MS = 10 * SECOND_MS;
const FINISH_START_MS = 10 * SECOND_MS;

/**
 * Starts services in order and keeps the process until they have ended.
 *
 * 1. The first SIGTERM or SIGINT stops them in reverse order: nothing new is taken, what is under way is finished.
 * 2. The second one kills them and leaves.
 * 3. A service that ends by itself with an error, or does not start, stops the others.
 * 4. A service that cannot be stopped does not keep the others from being stopped.
 * 5. A service that does not start, or that waits for a server while it is told to stop, is killed: what it has begun
 *    must not keep the process.
 * 6. An error that nobody has caught ends what it came from, and not the process (`outliveErrors`).
 *
 * @throws the first error of 3 or 4, once everything has been stopped and released
 */
export async function runServices(services: readonly Service[], options: RunOptions): Promise<void> {
  const { logger, process } = options;
  const started: Service[] = [];
  const stopAsked = deferred();
  const failures: unknown[] = [];
  const onFailure = (message: string) => (error: unknown) => {
    failures.push(error);
    logger.error(message, { error: messageOf(error) });
  };
  let signals = 0;
  const onSignal = () => {
    signals++;
    if (signals === 1) {
      logger.info('Stopping: work under way is finished first. A second signal leaves at once.');
      stopAsked.resolve();
    } else if (signals === 2) {
      void killAll(started).then(() => process.exit(1));
    }
  };
  outliveErrors(process, logger);
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    for (const service of services) {
      if (signals > 0 || !(await startOne(service, stopAsked.promise, options))) break;
      started.push(service);
      // Looked at below, once all have started; until then nobody would listen.
      service.finished.catch(() => undefined);
    }
    if (signals === 0) await options.started?.();
    await Promise.race([stopAsked.promise, Promise.all(started.map((service) => service.finished))]);
  } catch (error) {
    onFailure('A service has ended because of an error.')(error);
  }
  for (const service of [...started].reverse())
    await tellingDelay(service, options).catch(onFailure(`The service ${service.name} could not be stopped.`));
  await options.release?.();
  if (failures.length > 0) throw failures[0];
}

/** @returns false when it did not start in time after the process was told to stop */
async function startOne(
  service: Service,
  stopAsked: Promise<void>,
  { finishStartMs = FINISH_START_MS }: RunOptions,
): Promise<boolean> {
  const late = deferred<boolean>();
  let timer: NodeJS.Timeout | undefined;
  let settled = false;
  void stopAsked.then(() => {
    if (!settled) timer = setTimeout(() => late.resolve(false), finishStartMs);
  });
  const starting = service.start().then(() => true);
  let hasStarted = false;
  try {
    hasStarted = await Promise.race([starting, late.promise]);
    return hasStarted;
  } finally {
    settled = true;
    clearTimeout(timer);
    // Nobody listens any more.
    starting.catch(() => undefined);
    if (!hasStarted) await killAll([service]);
  }
}

/** Stops a service, and says which one it is that keeps the process when that takes long. */
async function tellingDelay(service: Service, { logger, tellStopMs = TELL_STOP_MS }: RunOptions): Promise<void> {
  const tell = () => logger.info(`The service ${service.name} still finishes its work.`);
  const timer = setInterval(tell, tellStopMs);
  try {
    await service.stop();
  } finally {
    clearInterval(timer);
  }
}

async function killAll(services: readonly Service[]): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, KILL_MS).unref());
  await Promise.race([Promise.allSettled(services.map((service) => service.kill())), late]);
}
