import { hostname } from 'node:os';
import { deferred, fault, messageOf, SECOND_MS, type Clock } from '@switchyard/base';
import { dataLimits, type Config, type Paths } from '@switchyard/config';
import { createPackConfigs } from '@switchyard/content/configs/pack-configs';
import type { Datastore } from '@switchyard/datastore';
import {
  createInstanceLease,
  createService,
  createTask,
  dropAll,
  observeInstances,
  stopAll,
  type Service,
} from '@switchyard/host';
import type { AccessControl, Tokens } from '@switchyard/identity';
import { watchQueue, type Bus, type Consumer } from '@switchyard/messaging';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Dispatch } from '@switchyard/triggers';
import { announceEvent } from './announce';
import { SERVICE, SHARING_POOL } from './assignment';
import { createPartition } from './partition/create-partition';
import { createRunningSensors } from './running-sensors';
import type { SuperviseDeps } from './supervise';

export interface SensorContainerDeps {
  config: Config;
  paths: Pick<Paths, 'virtualenvs'>;
  store: Store;
  bus: Bus;
  dispatch: Dispatch;
  datastore: Datastore;
  tokens: Pick<Tokens, 'issueToken' | 'extend' | 'revoke'>;
  access: Pick<AccessControl, 'enabled' | 'rolesOf' | 'isAdmin'>;
  /** Base address of the API without the version. */
  apiUrl: string;
  /** The environment that sensors inherit. */
  environment: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'count' | 'shift' | 'time'>;
  /** Called with the end of the sensor in single-sensor mode; the service has finished by then. */
  onSingleEnd?: (exitCode: number) => void;
}

/** Messages report changes at once; changes without a message are found at this interval. */
const LOOK_EVERY_MS = 10 * SECOND_MS;
const PREFETCH = 100;

/**
 * Runs the sensors assigned to this container, each in a process of its own. Any number of containers share the work.
 *
 * 1. A container runs a sensor only while the store names it as the owner, so each sensor runs once.
 * 2. Messages only wake the container: it reads what to run from the store. Without messages it checks regularly.
 * 3. When a sensor is assigned to another container, its owner gives it up and the other one takes it. The sensor of a
 *    dead owner is taken at once, after its processes on this host were ended.
 * 4. A container that was silent for longer than its lease checks which sensors it still owns, and ends the rest.
 */
export function createSensorContainer(deps: SensorContainerDeps): Service {
  const { config, store, bus, clock, logger } = deps;
  const { partition_provider: provider, sensor_node_name: nodeName, sensor_ref: onlyRef } = config.sensorcontainer;
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const single = config.sensorcontainer.single_sensor_mode;
  const consumers: Consumer[] = [];
  const ended = deferred();
  const lease = createInstanceLease({
    instances: store.instances,
    clock,
    logger,
    service: SERVICE,
    heartbeatMs,
    leaseMs,
    pools: onlyRef === null && (provider['name'] ?? 'default') === 'default' ? [SHARING_POOL] : [],
    onLapse: () => sensors.confirm(),
  });
  const observer = observeInstances(store.instances, clock, leaseMs);
  const partition = createPartition({ ...deps, provider, nodeName, instance: lease.id });
  const sensors = createRunningSensors({
    store,
    logger,
    assignment: {
      store,
      observer,
      partition,
      instance: lease.id,
      ...(onlyRef === null ? {} : { onlySensor: onlyRef }),
    },
    supervising: superviseDeps(deps, lease.id, () => sensors.isClosed()),
    once: single,
    onEnd(exitCode) {
      if (!single) return reconciling.wake();
      if (exitCode !== undefined) deps.onSingleEnd?.(exitCode);
      ended.resolve();
    },
  });
  const reconciling = createTask({
    clock,
    run: sensors.reconcile,
    everyMs: Math.min(heartbeatMs, LOOK_EVERY_MS),
    onError: (error) => logger.error('Failed to assign sensors; retrying.', { error: messageOf(error) }),
  });
  const triggerSync = createTask({
    clock,
    run: sensors.syncTriggers,
    everyMs: LOOK_EVERY_MS,
    onError: (error) => logger.warn('Failed to read triggers; retrying.', { error: messageOf(error) }),
  });

  const watch = async (exchange: 'sensor' | 'trigger', wake: () => void) => {
    const queue = watchQueue(exchange, 'sensor_container');
    consumers.push(await bus.consume(queue, { prefetch: PREFETCH, name: queue.name }, async () => wake()));
  };

  async function endAll(graceMs?: number): Promise<void> {
    sensors.close();
    await reconciling.stop();
    await sensors.end(graceMs);
    await lease.stop();
  }

  return createService({
    name: SERVICE,
    bus,
    ended,
    async start() {
      if (single && onlyRef === null) throw fault('sensor.no-reference');
      if (onlyRef !== null && !(await store.sensorTypes.byKey(onlyRef)))
        throw fault('sensor.unknown', { ref: onlyRef });
      // The configured source must be usable at the start; later failures are temporary.
      await partition.owned([], [lease.id]);
      await lease.start();
      if (onlyRef === null) await watch('sensor', reconciling.wake);
      await watch('trigger', triggerSync.wake);
      reconciling.wake();
      triggerSync.wakeIn(LOOK_EVERY_MS);
    },
    async stop() {
      await stopAll([...consumers, triggerSync]);
      await endAll();
    },
    async kill() {
      dropAll([...consumers, triggerSync]);
      await endAll(0);
    },
    checks() {
      const { up, held } = sensors.count();
      return { sensors: `${up} of ${held} running` };
    },
  });
}

function superviseDeps(deps: SensorContainerDeps, instance: string, gaveUp: () => boolean): SuperviseDeps {
  const { config, store, paths, environment, clock, logger, metrics, datastore, dispatch, access } = deps;
  const { restart_delay_ms: initialMs, restart_delay_max_ms: maxMs } = config.sensorcontainer;
  // The configuration of a pack is read with the rights of the system.
  const lookup = datastore.lookupFor({ user: config.system_user.user });
  const configs = createPackConfigs(store);
  return {
    store,
    clock,
    logger,
    metrics,
    instance,
    host: hostname(),
    states: store.sensorStates,
    restart: { initialMs, factor: 2, maxMs },
    leaseMs: config.instances.lease_ms,
    apiUrl: `${deps.apiUrl}/v1`,
    calls: { store, dispatch, datastore, access, maxPageSize: config.api.max_page_size, clock, logger, metrics },
    limits: dataLimits(config),
    token: { tokens: deps.tokens, ttlSeconds: config.auth.service_token_ttl, clock, logger },
    launch: {
      virtualenvs: paths.virtualenvs,
      python: config.actionrunner.python_binary,
      commonLibs: config.packs.enable_common_libs,
      environment,
    },
    packConfig: async ({ pack }) => (await configs.of(pack, lookup)).values,
    announce: (sensor, event) => announceEvent({ dispatch, clock, logger, gaveUp }, sensor, event),
  };
}
