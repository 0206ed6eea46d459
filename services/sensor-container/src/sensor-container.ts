import { hostname } from 'node:os';
import { deferred, fault, messageOf, SECOND_MS, type Clock } from '@switchyard/base';
import { dataLimits, type Config, type Paths } from '@switchyard/config';
import { createPackConfigs } from '@switchyard/content';
import type { Datastore } from '@switchyard/datastore';
import { createInstanceLease, createTask, observeInstances, type Service } from '@switchyard/host';
import type { AccessControl, Tokens } from '@switchyard/identity';
import { watchQueue, type Bus, type Consumer } from '@switchyard/messaging';
import type { SensorTypeRecord } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Dispatch } from '@switchyard/triggers';
import { announceEvent } from './announce';
import { assign, SERVICE, SHARING_POOL, type Assignment } from './assignment';
import { endLeftovers } from './leftovers';
import { createPartition } from './partition/create-partition';
import { supervise, type SuperviseDeps, type Supervised } from './supervise';

export interface SensorContainerDeps {
  config: Config;
  paths: Pick<Paths, 'virtualenvs'>;
  store: Store;
  bus: Bus;
  dispatch: Dispatch;
  datastore: Datastore;
  tokens: Pick<Tokens, 'issueToken' | 'extend' | 'revoke'>;
  access: Pick<AccessControl, 'enabled' | 'rolesOf' | 'isAdmin'>;
  /** Base address of the API without version. */
  apiUrl: string;
  /** What sensors inherit. */
  environment: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'count' | 'shift' | 'time'>;
  /** Told how the one sensor of single-sensor mode has ended; the service has finished then. */
  onSingleEnd?: (exitCode: number) => void;
}

/** Messages tell of changes at once; what they miss is found so often. */
const LOOK_EVERY_MS = 10 * SECOND_MS;
const PREFETCH = 100;

/**
 * Runs the sensors that fall to this container, each in a process of its own. Any number of containers share the work.
 *
 * 1. A container runs a sensor only while the store names it as the owner, so that a sensor runs once.
 * 2. Messages only wake it: what is to run is read from the store. Without messages it looks by itself.
 * 3. The owner of a sensor that falls to another container gives it up, and the other one takes it then. Of a dead owner
 *    it is taken at once, after its processes on this host were ended.
 * 4. A container that was silent for longer than its lease asks what is still its own, and ends the rest.
 */
export function createSensorContainer(deps: SensorContainerDeps): Service {
  const { config, store, bus, clock, logger } = deps;
  const { partition_provider: provider, sensor_node_name: nodeName, sensor_ref: onlyRef } = config.sensorcontainer;
  const { heartbeat_ms: heartbeatMs, lease_ms: leaseMs } = config.instances;
  const single = config.sensorcontainer.single_sensor_mode;
  const running = new Map<string, Supervised>();
  const consumers: Consumer[] = [];
  const finished = deferred();
  let stopped = false;
  const lease = createInstanceLease({
    instances: store.instances,
    clock,
    logger,
    service: SERVICE,
    heartbeatMs,
    leaseMs,
    pools: onlyRef === null && (provider['name'] ?? 'default') === 'default' ? [SHARING_POOL] : [],
    onLapse: () => {
      for (const sensor of running.values()) sensor.confirm();
    },
  });
  const observer = observeInstances(store.instances, clock, leaseMs);
  const partition = createPartition({ ...deps, provider, nodeName, instance: lease.id });
  const assignment = {
    store,
    observer,
    partition,
    instance: lease.id,
    ...(onlyRef === null ? {} : { onlySensor: onlyRef }),
  };
  const supervising = superviseDeps(deps, lease.id, () => stopped);

  const reconciling = createTask({
    clock,
    run: reconcile,
    everyMs: Math.min(heartbeatMs, LOOK_EVERY_MS),
    onError: (error) => logger.error('Sensors could not be divided; it is tried again.', { error: messageOf(error) }),
  });
  const triggerSync = createTask({
    clock,
    run: syncTriggers,
    everyMs: LOOK_EVERY_MS,
    onError: (error) => logger.warn('Triggers could not be read; it is tried again.', { error: messageOf(error) }),
  });

  async function reconcile(): Promise<void> {
    const found = await assign(assignment);
    const wanted = new Map(found.wanted.map((sensor) => [sensor.ref, sensor]));
    for (const [ref, { sensor, stop }] of running) {
      const now = wanted.get(ref);
      if (!now || fingerprint(now) !== fingerprint(sensor)) stop();
    }
    const missing = found.wanted.filter(({ ref }) => !running.has(ref) && !stopped);
    await Promise.all(missing.map((sensor) => take(sensor, found)));
    await forgetDeleted(found);
  }

  async function take(sensor: SensorTypeRecord, { states, isTaken }: Assignment): Promise<void> {
    const { ref } = sensor;
    if (isTaken(ref)) return;
    const before = states.get(ref);
    const owner = { instance: lease.id, host: lease.host, pid: process.pid };
    if (before) await endLeftovers(before, lease.host, logger);
    if (stopped || !(await store.sensorStates.claim(ref, owner, before?.owner?.instance))) return;
    const supervised = supervise(supervising, sensor, single);
    running.set(ref, supervised);
    void supervised.finished.then((exitCode) => {
      running.delete(ref);
      if (single) endSingle(exitCode);
      else reconciling.wake();
    });
  }

  function endSingle(exitCode: number | undefined): void {
    if (exitCode !== undefined) deps.onSingleEnd?.(exitCode);
    finished.resolve();
  }

  /** The states of sensors that exist no more, once nobody runs them. */
  async function forgetDeleted({ sensors, states }: Assignment): Promise<void> {
    const known = new Set(sensors.map(({ ref }) => ref));
    for (const [ref, { owner }] of states) if (!known.has(ref) && !owner) await store.sensorStates.forget(ref);
  }

  async function syncTriggers(): Promise<void> {
    const types = [...new Set([...running.values()].flatMap(({ sensor }) => sensor.trigger_types))];
    if (types.length === 0) return;
    const triggers = await store.triggers.list({ filter: { type: { $in: types } }, sort: { _id: 1 } });
    for (const { sensor, syncTriggers: sync } of running.values())
      sync(triggers.filter(({ type }) => sensor.trigger_types.includes(type)));
  }

  const watch = async (exchange: 'sensor' | 'trigger', wake: () => void) => {
    const queue = watchQueue(exchange, 'sensor_container');
    consumers.push(await bus.consume(queue, { prefetch: PREFETCH, name: queue.name }, async () => wake()));
  };

  async function endAll(graceMs?: number): Promise<void> {
    stopped = true;
    await reconciling.stop();
    for (const { stop } of running.values()) stop(graceMs);
    await Promise.all([...running.values()].map((sensor) => sensor.finished));
    await lease.stop();
    finished.resolve();
  }

  return {
    name: SERVICE,
    async start() {
      if (single && onlyRef === null) throw fault('sensor.no-reference');
      if (onlyRef !== null && !(await store.sensorTypes.byKey(onlyRef)))
        throw fault('sensor.unknown', { ref: onlyRef });
      // What the configuration names must be usable from the start; later it may fail, and come back.
      await partition.owned([], [lease.id]);
      await lease.start();
      if (onlyRef === null) await watch('sensor', reconciling.wake);
      await watch('trigger', triggerSync.wake);
      reconciling.wake();
      triggerSync.wakeIn(LOOK_EVERY_MS);
    },
    async stop() {
      await Promise.all([...consumers.map((consumer) => consumer.stop()), triggerSync.stop()]);
      await endAll();
    },
    async kill() {
      for (const part of [...consumers, triggerSync]) void part.stop();
      await endAll(0);
    },
    finished: finished.promise,
    health() {
      const up = [...running.values()].filter(({ isRunning }) => isRunning).length;
      return {
        live: true,
        ready: bus.ready(),
        checks: { bus: bus.ready() ? 'ok' : 'not connected', sensors: `${up} of ${running.size} running` },
      };
    },
  };
}

/** Of everything that a process is started with: when it changes, the sensor is started anew. */
const fingerprint = ({ _id, enabled: _, content_hash: _hash, ...rest }: SensorTypeRecord): string =>
  JSON.stringify([_id, Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))]);

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
