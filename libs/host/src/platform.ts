import { setFlagsFromString } from 'node:v8';
import { backoffMs, fault, isFault, messageOf, MINUTE_MS, SECOND_MS, systemClock, type Clock } from '@switchyard/base';
import { paths, type Config, type Paths } from '@switchyard/config';
import type { Bus } from '@switchyard/messaging';
import {
  connectMongo,
  createSealer,
  liveKeyRing,
  loadKeyRing,
  openStore,
  watchQueries,
  type KeySource,
  type Sealer,
  type Store,
  type StoreOptions,
} from '@switchyard/storage';
import { createMetrics, type Logger, type ProcessMetrics, type SpanRecorder } from '@switchyard/telemetry';
import { openConfiguredBus } from './open-bus';
import { openSpans } from './open-spans';
import { closeToOthers } from './private-files';
import type { ServerInUse } from './silent-servers';

/** What every service is built on. Callers do not see which drivers are in use. */
export interface Platform {
  readonly config: Config;
  readonly paths: Paths;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ProcessMetrics;
  readonly spans: SpanRecorder;
  readonly store: Store;
  readonly bus: Bus;
  readonly sealer: Sealer;
  /** The keys of records; `sealer` uses them. */
  readonly recordKeys: KeySource;
  /** @param isSilent whether the store does not respond, so that it is left as it is */
  close(isSilent?: boolean): Promise<void>;
}

export interface PlatformOptions extends StoreOptions {
  /** The name of the process among others. */
  readonly process?: string;
}

/**
 * Opens the store, the bus and the key file that the configuration names.
 * @throws Fault when one of them cannot be used
 */
export async function openPlatform(
  config: Config,
  logger: Logger,
  { process: name = 'switchyard', ...options }: PlatformOptions = {},
): Promise<Platform> {
  const where = paths(config);
  allocateAmongYoungObjects();
  await closeToOthers(where, logger);
  const spans = await openSpans(config, name, logger);
  const metrics = createMetrics(config.metrics, logger, spans);
  const opened = await openConfiguredStore({ config, where, logger, options });
  const { store } = opened;
  try {
    const bus = await openConfiguredBus(config, logger, metrics);
    const disconnect = async () => {
      await bus.close();
      await store.close();
    };
    const close = async (isSilent = false) => {
      if (store.isExclusive) await disconnect();
      else if (!isSilent) await atMost(DISCONNECT_MS, disconnect());
      await metrics.close();
      await spans.close();
    };
    return { config, paths: where, clock: systemClock(), logger, metrics, spans, ...opened, bus, close };
  } catch (error) {
    await store.close();
    await metrics.close();
    await spans.close();
    throw error;
  }
}

/** A process that ends need not wait for servers to confirm that. The embedded store writes to its files. */
const DISCONNECT_MS = 3 * SECOND_MS;

async function atMost(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The servers that services should not wait for while they stop. The embedded drivers have none. */
export const serversOf = ({ store, bus }: Pick<Platform, 'store' | 'bus'>): ServerInUse[] =>
  store.isExclusive
    ? []
    : [
        { name: 'store', ping: store.ping },
        { name: 'message broker', ping: bus.ping, abandon: bus.abandon },
      ];

/**
 * By default, V8 allocates an object among the old ones if earlier ones from the same line of code have lived long. When packs are
 * registered or many messages arrive at once, such objects soon become garbage, but they stay until the next full collection,
 * with everything that they refer to. After the registration of 8,000 actions these were 40 MB.
 */
const allocateAmongYoungObjects = (): void => setFlagsFromString('--no-allocation-site-pretenuring');

async function openConfiguredStore({
  config,
  where,
  logger,
  options,
}: {
  config: Config;
  where: Paths;
  logger: Logger;
  options: StoreOptions;
}): Promise<Pick<Platform, 'store' | 'sealer' | 'recordKeys'>> {
  const isEmbedded = config.storage.driver !== 'mongodb';
  const connection = isEmbedded ? await openDirectory(config, where) : await connectWhenThere(config, logger);
  if (config.DEFAULT.profile) watchQueries(connection, (query) => logger.info('Operation on the store.', { ...query }));
  try {
    const recordKeys = await openRecordKeys(where.recordKey, logger);
    const sealer = createSealer(recordKeys);
    const store = await openStore(connection, sealer, options);
    // Only one process can hold the directory, so every process registered in it has ended.
    if (isEmbedded) await store.instances.clear();
    return { store, sealer, recordKeys };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** The keys of records. A new key takes effect without a restart. */
const openRecordKeys = async (path: string, logger: Logger): Promise<KeySource> =>
  liveKeyRing({
    path,
    first: await loadKeyRing(path),
    onProblem: (reason) => logger.warn('The key file has changed and cannot be used.', { path, reason }),
    monotonicMs: systemClock().monotonicMs,
  });

/** Opens the embedded store. The engine is imported here because MongoDB setups do not need it. */
async function openDirectory({ storage }: Config, where: Paths): ReturnType<typeof connectMongo> {
  const { openEmbedded } = await import('@switchyard/storage/embedded');
  return openEmbedded({ directory: where.store, durability: storage.durability });
}

/** Connects to MongoDB and retries for as long as the configuration allows. */
async function connectWhenThere({ database }: Config, logger: Logger): ReturnType<typeof connectMongo> {
  const backoff = {
    initialMs: Math.max(1, database.connection_retry_backoff_mul) * SECOND_MS,
    factor: 2,
    maxMs: database.connection_retry_backoff_max_s * SECOND_MS,
  };
  const deadline = Date.now() + database.connection_retry_max_delay_m * MINUTE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      return await connectMongo(database);
    } catch (error) {
      // Waiting does not help.
      if (isFault(error) && error.code === 'config.conflict') throw error;
      const waitMs = backoffMs(backoff, attempt);
      if (Date.now() + waitMs > deadline)
        throw fault('storage.unreachable', { text: messageOf(error) }, { cause: error });
      logger.warn('The store is unavailable; retrying.', { waitMs, error: messageOf(error) });
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
