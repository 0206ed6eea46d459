import { systemClock, type Clock } from '@switchyard/base';
import { paths, type Config, type Paths } from '@switchyard/config';
import { connectBus, embeddedBus, type Bus } from '@switchyard/messaging';
import {
  connectMongo,
  createSealer,
  loadKeyRing,
  openEmbedded,
  openStore,
  type Sealer,
  type Store,
} from '@switchyard/storage';
import type { Logger } from '@switchyard/telemetry';

/** What every service stands on. Which drivers are behind it shows nowhere. */
export interface Platform {
  readonly config: Config;
  readonly paths: Paths;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Store;
  readonly bus: Bus;
  readonly sealer: Sealer;
  close(): Promise<void>;
}

/**
 * Opens the store, the bus and the key file that the configuration names.
 * @throws Fault when one of them cannot be used
 */
export async function openPlatform(config: Config, logger: Logger): Promise<Platform> {
  const where = paths(config);
  const store = await openConfiguredStore(config, where);
  try {
    const sealer = createSealer(await loadKeyRing(where.recordKey));
    const bus = await openConfiguredBus(config, logger);
    const close = async () => {
      await bus.close();
      await store.close();
    };
    return { config, paths: where, clock: systemClock(), logger, store, bus, sealer, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openConfiguredStore(config: Config, where: Paths): Promise<Store> {
  if (config.storage.driver === 'mongodb') return openStore(await connectMongo(config.database));
  const store = await openStore(await openEmbedded({ directory: where.store, durability: config.storage.durability }));
  // Whoever holds the directory knows that every process registered in it has ended.
  await store.instances.clear();
  return store;
}

async function openConfiguredBus({ messaging }: Config, logger: Logger): Promise<Bus> {
  if (messaging.driver === 'embedded') return embeddedBus({ prefix: messaging.prefix, logger });
  const urls = messaging.cluster_urls.length > 0 ? messaging.cluster_urls : [messaging.url];
  return connectBus({ urls, prefix: messaging.prefix, logger });
}
