import { hostname } from 'node:os';
import { deferred, fault, messageOf, SECOND_MS, type Clock } from '@switchyard/base';
import { dataLimits, pythonInstallation, type Config, type Paths } from '@switchyard/config';
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
import type { StoreWithoutExecutions } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Dispatch } from '@switchyard/triggers';
import { announceEvent } from './announce';
import { SERVICE, SHARING_POOL } from './assignment';
import { createPartition } from './partition/create-partition';
import { createRunningSensors, type RunningSensors } from './running-sensors';
import type { SuperviseDeps } from './supervise';

export interface SensorContainerDeps {
  config: Config;
  paths: Pick<Paths, 'base' | 'packsBasePaths' | 'virtualenvs'>;
  store: StoreWithoutExecutions;
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
 * 3. When a sensor is assigned to another container, its owner releases it and the other one takes it. The sensor of a
 *    dead owner is taken immediately, after its processes on this host were ended.
 * 4. A container that was silent for longer than its lease checks which sensors it still owns, and ends the rest.
 */
export function createSensorContainer(deps: SensorContainerDeps): Service {
  const { config, store, bus, logger } = deps;
  const { single_sensor_mode: single, sensor_ref: onlyRef } = config.sensorcontainer;
  const ended = deferred();
  const lease = containerLease(deps, () => sensors.confirm());
  const partition = createPartition({ ...deps, ...partitionOptions(config), instance: lease.id });
  const sensors = createRunningSensors({
    store,
    logger,
    assignment: {
      store,
      observer: observeInstances(store.instances, lease.renewals, config.instances.lease_ms),
      partition,
      instance: lease.id,
      ...(onlyRef === null ? {} : { onlySensor: onlyRef }),
    },
    supervising: superviseDeps(deps, lease.id, () => sensors.isClosed()),
    once: single,
    onEnd(exitCode) {
      if (!single) return wakers.sensor.reread();
      if (exitCode !== undefined) deps.onSingleEnd?.(exitCode);
      ended.resolve();
    },
  });
  const wakers = createWakers(deps, sensors);

  async function endAll(graceMs?: number): Promise<void> {
    sensors.close();
    await wakers.sensor.stop();
    await sensors.end(graceMs);
    await lease.stop();
  }

  return createService({
    name: SERVICE,
    bus,
    ended,
    async start() {
      await checkConfigured(config, store);
      // The configured source must be usable at the start; later failures are temporary.
      await partition.owned([], [lease.id]);
      await lease.start();
      await wakers.start();
    },
    async stop() {
      await stopAll(wakers.others());
      await endAll();
    },
    async kill() {
      dropAll(wakers.others());
      await endAll(0);
    },
    checks() {
      const { up, held } = sensors.count();
      return { sensors: `${up} of ${held} running` };
    },
  });
}

async function checkConfigured(
  { sensorcontainer }: Config,
  store: Pick<StoreWithoutExecutions, 'sensorTypes'>,
): Promise<void> {
  const { single_sensor_mode: single, sensor_ref: onlyRef } = sensorcontainer;
  if (single && onlyRef === null) throw fault('sensor.no-reference');
  if (onlyRef !== null && !(await store.sensorTypes.byKey(onlyRef))) throw fault('sensor.unknown', { ref: onlyRef });
}

const partitionOptions = ({ sensorcontainer }: Config) => ({
  provider: sensorcontainer.partition_provider,
  nodeName: sensorcontainer.sensor_node_name,
});

/** @param onLapse called after a silence in which other containers may have taken over sensors */
function containerLease({ config, store, clock, logger }: SensorContainerDeps, onLapse: () => void) {
  const { sensor_ref: onlyRef, partition_provider: provider } = config.sensorcontainer;
  const shares = onlyRef === null && (provider['name'] ?? 'default') === 'default';
  return createInstanceLease({
    instances: store.instances,
    clock,
    logger,
    service: SERVICE,
    heartbeatMs: config.instances.heartbeat_ms,
    leaseMs: config.instances.lease_ms,
    pools: shares ? [SHARING_POOL] : [],
    onLapse,
  });
}

/** What makes the container read the store: messages about sensors and triggers, and the clock. */
function createWakers({ config, bus, clock, logger }: SensorContainerDeps, sensors: RunningSensors) {
  const consumers: Consumer[] = [];
  let readAtMs = -Infinity;
  const sensor = createTask({
    clock,
    async run() {
      const nowMs = clock.monotonicMs();
      const isDue = nowMs - readAtMs >= LOOK_EVERY_MS;
      if (!isDue && (await sensors.isSettled())) return;
      readAtMs = -Infinity;
      await sensors.reconcile();
      readAtMs = nowMs;
    },
    everyMs: Math.min(config.instances.heartbeat_ms, LOOK_EVERY_MS),
    onError: (error) => logger.error('Failed to assign sensors; retrying.', { error: messageOf(error) }),
  });
  const trigger = createTask({
    clock,
    run: sensors.syncTriggers,
    everyMs: LOOK_EVERY_MS,
    onError: (error) => logger.warn('Failed to read triggers; retrying.', { error: messageOf(error) }),
  });
  const watch = async (exchange: 'sensor' | 'trigger', wake: () => void) => {
    const queue = watchQueue(exchange, 'sensor_container');
    consumers.push(await bus.consume(queue, { prefetch: PREFETCH, name: queue.name }, async () => wake()));
  };
  const reread = () => {
    readAtMs = -Infinity;
    sensor.wake();
  };
  return {
    sensor: { reread, stop: sensor.stop },
    async start() {
      if (config.sensorcontainer.sensor_ref === null) await watch('sensor', reread);
      await watch('trigger', trigger.wake);
      reread();
      trigger.wakeIn(LOOK_EVERY_MS);
    },
    /** All parts but `sensor`, which ends after the container takes no more sensors. */
    others: () => [...consumers, trigger],
  };
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
    logs: store.sensorLogs,
    restart: { initialMs, factor: 2, maxMs },
    leaseMs: config.instances.lease_ms,
    apiUrl: `${deps.apiUrl}/v1`,
    calls: { store, dispatch, datastore, access, maxPageSize: config.api.max_page_size, clock, logger, metrics },
    limits: dataLimits(config),
    installation: pythonInstallation(config, paths),
    token: { tokens: deps.tokens, ttlSeconds: config.auth.service_token_ttl, clock, logger },
    launch: {
      virtualenvs: paths.virtualenvs,
      python: config.actionrunner.python_binary,
      commonLibs: config.packs.enable_common_libs,
      environment,
    },
    packConfig: ({ pack }) => configs.of(pack, lookup),
    announce: (sensor, event) => announceEvent({ dispatch, clock, logger, gaveUp }, sensor, event),
  };
}
