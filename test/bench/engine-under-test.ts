import { newId } from '@switchyard/base';
import type { ConfigOverrides } from '@switchyard/config';
import { createDatastore, createValueCipher } from '@switchyard/datastore';
import { createExecutions } from '@switchyard/executions';
import type { Service } from '@switchyard/host';
import { createRulesEngine } from '@switchyard/rules-engine';
import { openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { createTriggers, type Triggers } from '@switchyard/triggers';
import { missingServer, startRealServers } from '../system/real-servers';

export const TRIGGER = 'bench.event';

/** A rules engine and its dispatcher in this process, on a store and a bus. */
export interface EngineUnderTest {
  readonly store: TestPlatform['store'];
  readonly triggers: Triggers;
  stop(): Promise<void>;
}

/** The default of the configuration. Tests sweep far more often. */
const AS_SHIPPED: ConfigOverrides = {
  instances: { heartbeat_ms: 2000, lease_ms: 10_000 },
  sweep: { interval_ms: 2000, older_than_ms: 5000 },
};

/** @param target the drivers; for `servers` it starts its own servers */
export async function openPlatformOn(target: 'embedded' | 'servers'): Promise<TestPlatform> {
  if (target === 'embedded') return openTestPlatform(AS_SHIPPED);
  const missing = missingServer();
  if (missing !== undefined) throw new Error(`${missing} is needed for --target servers.`);
  const { mongo, rabbit, remove } = await startRealServers();
  const platform = await openTestPlatform({
    ...AS_SHIPPED,
    storage: { driver: 'mongodb' },
    database: { host: mongo.url, db_name: 'bench' },
    messaging: { driver: 'rabbitmq', url: rabbit.url, prefix: 'bench' },
  });
  return {
    ...platform,
    async close() {
      await platform.close();
      await remove();
    },
  };
}

export async function startEngine(target: 'embedded' | 'servers'): Promise<EngineUnderTest> {
  const platform = await openPlatformOn(target);
  const { store, bus, config, clock, logger } = platform;
  const engine = engineOf(platform);
  await insertTrigger(store);
  await engine.start();
  return {
    store,
    triggers: createTriggers({ store, config, clock, logger, publisher: bus.publisher() }),
    async stop() {
      await engine.stop();
      await platform.close();
    },
  };
}

function engineOf(platform: TestPlatform): Service {
  const { store, sealer, clock, logger, bus, config, paths } = platform;
  const access = { isAdmin: () => true, authorise: () => undefined };
  const cipher = createValueCipher({ enabled: true, path: paths.datastoreKey, mayCreate: true });
  const systemUser = config.system_user.user;
  const { lookupFor } = createDatastore({ store, clock, logger, access, cipher, systemUser });
  const executions = createExecutions({ store, sealer, clock, logger, publisher: bus.publisher(), webUrl: '' });
  return createRulesEngine({ ...platform, executions, lookupFor });
}

async function insertTrigger(store: TestPlatform['store']): Promise<void> {
  const names = { ref: TRIGGER, name: 'event', pack: 'bench' };
  await store.triggerTypes.insert({ _id: newId(), ...names, uid: `trigger_type:${TRIGGER}`, payload_schema: {}, parameters_schema: {}, tags: [], metadata_file: '' }); // oxfmt-ignore
  await store.triggers.insert({ _id: newId(), ...names, uid: `trigger:${TRIGGER}`, type: TRIGGER, parameters: {}, parameters_hash: '-' }); // oxfmt-ignore
}
