import { deferred, messageOf, SECOND_MS } from '@switchyard/base';
import { outliveErrors, type ErrorSource } from './last-resort';
import type { Service } from './service';

/** The parts of `process` that running services needs. */
export interface HostProcess extends ErrorSource {
  on(
    ...listening:
      Parameters<ErrorSource['on']> | [signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGUSR1', listener: () => void]
  ): unknown;
  exit(code: number): void;
}

export interface RunServicesOptions {
  process: HostProcess;
  logger: {
    info(message: string, fields?: Record<string, unknown>): void;
    error(message: string, fields?: Record<string, unknown>): void;
  };
  /** Called after all services have ended, to close what they share. */
  release?: () => Promise<void>;
  /** Called once every service has started. */
  started?: () => Promise<void>;
  /** Interval in milliseconds at which the log names the service that is still stopping (10 s). */
  tellStopMs?: number;
  /** Milliseconds that a service gets to finish starting after a signal (10 s). */
  finishStartMs?: number;
}

/** How long killed services may take to end their child processes. */
const KILL_MS = 10 * SECOND_MS;
const TELL_STOP_MS = 10 * SECOND_MS;
const FINISH_START_MS = 10 * SECOND_MS;

/**
 * Starts services in order and keeps the process running until they have ended.
 *
 * 1. The first SIGTERM or SIGINT stops them in reverse order: running work finishes, new work is not taken.
 * 2. The second signal kills them and exits.
 * 3. A service that ends with an error, or fails to start, stops the others.
 * 4. A service that fails to stop does not prevent the others from stopping.
 * 5. A service that fails to start, or is still waiting for a server when it should stop, is killed: nothing that it
 *    has started may keep the process alive.
 * 6. An uncaught error ends the request or message that it came from, not the process (`outliveErrors`).
 *
 * @throws the first error of 3 or 4, after everything has been stopped and released
 */
export async function runServices(services: readonly Service[], options: RunServicesOptions): Promise<void> {
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
      logger.info('Stopping: running work finishes first. A second signal exits immediately.');
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
      // Awaited below, once all have started; until then a rejection would be unhandled.
      service.finished.catch(() => undefined);
    }
    if (signals === 0) await options.started?.();
    await Promise.race([stopAsked.promise, Promise.all(started.map((service) => service.finished))]);
  } catch (error) {
    onFailure('A service ended because of an error.')(error);
  }
  for (const service of [...started].reverse())
    await tellingDelay(service, options).catch(onFailure(`The service ${service.name} could not be stopped.`));
  await options.release?.();
  if (failures.length > 0) throw failures[0];
}

/** @returns false if it did not start in time after the signal to stop */
async function startOne(
  service: Service,
  stopAsked: Promise<void>,
  { finishStartMs = FINISH_START_MS }: RunServicesOptions,
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
    // It is no longer awaited.
    starting.catch(() => undefined);
    if (!hasStarted) await killAll([service]);
  }
}

/** Stops a service, and logs its name repeatedly if that takes long. */
async function tellingDelay(
  service: Service,
  { logger, tellStopMs = TELL_STOP_MS }: RunServicesOptions,
): Promise<void> {
  const tell = () => logger.info(`The service ${service.name} is still finishing its work.`);
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
