import { backoffMs, deferred, fault, messageOf, SECOND_MS, type Backoff } from '@switchyard/base';
import { isUnreachable } from '@switchyard/storage';
import { outliveErrors, type ErrorSource } from './last-resort';
import type { Service } from './service';
import { createSilenceWatch, type ServerInUse, type SilenceWatch } from './silent-servers';

/** The parts of `process` that running services needs. */
export interface HostProcess extends ErrorSource {
  on(...listening: Listening): unknown;
  off(...listening: Listening): unknown;
  exit(code: number): void;
}

type Listening =
  | Parameters<ErrorSource['on']>
  | [signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGUSR1', listener: () => void];

/** How services ended: `start again` if the store went away before all had started, and nobody has asked them to stop. */
export type RunOutcome = 'stopped' | 'start again';

export interface RunServicesOptions {
  process: HostProcess;
  logger: {
    info(message: string, fields?: Record<string, unknown>): void;
    error(message: string, fields?: Record<string, unknown>): void;
  };
  /** The servers that the services use. While the services stop, they are given up if they do not respond. */
  servers?: readonly ServerInUse[];
  /** Milliseconds between two looks at the servers (1 s). */
  lookMs?: number;
  /** Called after all services have ended, to close what they share. @param isSilent whether the store does not respond */
  release?: (isSilent: boolean) => Promise<void>;
  /** Whether the result may be `start again`. Otherwise that is an error, too. */
  startsAgain?: boolean;
  /** Called once every service has started. */
  started?: () => Promise<void>;
  /** Interval in milliseconds at which the log names the service that is still stopping (10 s). */
  tellStopMs?: number;
  /** Milliseconds that a service gets to finish starting after a signal (10 s). */
  finishStartMs?: number;
}

/** How long killed services may take to end their child processes. */
const KILL_MS = 10 * SECOND_MS;
/** The same without the store, where they wait in vain for more than that. Child processes get 5 s to end after SIGTERM. */
const KILL_IN_SILENCE_MS = 6 * SECOND_MS;
/** Before that, a service that was still starting gets less. It has hardly any. */
const KILL_STARTING_MS = SECOND_MS;
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
 * 6. If a server does not respond for some seconds while the services stop, they stop without it. Without the store they are killed,
 *    as by SIGKILL: other processes recover their work.
 * 7. An uncaught error ends the request or message that it came from, not the process (`outliveErrors`).
 *
 * @throws the first error of 3, 4 or 6, after everything has been stopped and released
 */
export async function runServices(services: readonly Service[], options: RunServicesOptions): Promise<RunOutcome> {
  const { logger, process } = options;
  const started: Service[] = [];
  const stopAsked = deferred();
  const failures: unknown[] = [];
  const onFailure = (message: string) => (error: unknown) => {
    failures.push(error);
    logger.error(message, { error: messageOf(error) });
  };
  let signals = 0;
  let haveStarted = false;
  const onSignal = () => {
    signals++;
    if (signals === 1) {
      logger.info('Stopping: running work finishes first. A second signal exits immediately.');
      stopAsked.resolve();
    } else if (signals === 2) {
      void killAll(started, KILL_MS).then(() => process.exit(1));
    }
  };
  const isFinishingWork = () => started.some((service) => service.isFinishingWork?.());
  const watch = createSilenceWatch(options.servers ?? [], { ...options, isFinishingWork });
  void stopAsked.promise.then(watch.begin);
  const endOutliving = outliveErrors(process, logger);
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    for (const service of services) {
      if (signals > 0 || !(await startOne(service, stopAsked.promise, watch, options))) break;
      started.push(service);
      // Awaited below, once all have started; until then a rejection would be unhandled.
      service.finished.catch(() => undefined);
    }
    haveStarted = started.length === services.length;
    if (signals === 0) await options.started?.();
    await Promise.race([stopAsked.promise, Promise.all(started.map((service) => service.finished))]);
  } catch (error) {
    onFailure('A service ended because of an error.')(error);
  }
  watch.begin();
  for (const service of [...started].reverse())
    await stopOne(service, watch, options).catch(onFailure(`The service ${service.name} could not be stopped.`));
  if (watch.isSilent()) {
    failures.push(fault('storage.unreachable', { text: 'it does not respond' }));
    await killAll(started, KILL_IN_SILENCE_MS);
  }
  watch.end();
  await options.release?.(watch.isSilent());
  if (failures.length === 0) return 'stopped';
  if (!options.startsAgain || haveStarted || signals > 0 || !isUnreachable(failures[0])) throw failures[0];
  endOutliving();
  process.off('SIGTERM', onSignal);
  process.off('SIGINT', onSignal);
  return 'start again';
}

const START_AGAIN: Backoff = { initialMs: SECOND_MS, factor: 2, maxMs: 10 * SECOND_MS };

/** Runs services, and runs them again after a pause for as long as they should start again. */
export async function runUntilStopped(
  run: () => Promise<RunOutcome>,
  logger: { warn(message: string, fields: Record<string, unknown>): void },
): Promise<void> {
  for (let attempt = 1; (await run()) === 'start again'; attempt++) {
    const waitMs = backoffMs(START_AGAIN, attempt);
    logger.warn('The store went away before all services had started; starting again.', { waitMs });
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** @returns false if it did not start in time after the signal to stop */
async function startOne(
  service: Service,
  stopAsked: Promise<void>,
  watch: SilenceWatch,
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
    hasStarted = await Promise.race([starting, late.promise, watch.silent.then(() => false)]);
    return hasStarted;
  } finally {
    settled = true;
    clearTimeout(timer);
    // It is no longer awaited.
    starting.catch(() => undefined);
    if (!hasStarted) await killAll([service], watch.isSilent() ? KILL_STARTING_MS : KILL_MS);
  }
}

/** Stops a service, and logs its name repeatedly if that takes long. Does not wait for it if the store is silent. */
async function stopOne(
  service: Service,
  watch: SilenceWatch,
  { logger, tellStopMs = TELL_STOP_MS }: RunServicesOptions,
): Promise<void> {
  if (watch.isSilent()) return;
  const tell = () => logger.info(`The service ${service.name} is still finishing its work.`);
  const timer = setInterval(tell, tellStopMs);
  const stopping = service.stop();
  // It is no longer awaited if the store is silent.
  stopping.catch(() => undefined);
  try {
    await Promise.race([stopping, watch.silent]);
  } finally {
    clearInterval(timer);
  }
}

async function killAll(services: readonly Service[], mostMs: number): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, mostMs).unref());
  await Promise.race([Promise.allSettled(services.map((service) => service.kill())), late]);
}
