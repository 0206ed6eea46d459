import type { SensorStateRecord, SensorTypeRecord } from '@switchyard/model';
import { isOneOf, type Store } from '@switchyard/storage';
import { endProcessGroup, killMarked } from '@switchyard/subprocess';
import type { Logger } from '@switchyard/telemetry';
import { assignSensors, livingContainers, type AssignmentDeps, type SensorAssignment } from './assignment';
import { SENSOR_MARKER } from './process/sensor-process';
import { supervise, type SuperviseDeps, type SupervisedSensor } from './supervise';

export interface RunningSensorsDeps {
  readonly store: Pick<Store, 'sensorStates' | 'sensorLogs' | 'triggers'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly assignment: AssignmentDeps;
  readonly supervising: SuperviseDeps;
  /** Runs each sensor only once. */
  readonly once: boolean;
  /** Called when a sensor is given up, with the exit code of the last process that ended by itself. */
  onEnd(exitCode: number | undefined): void;
}

/** The sensors that this container runs. */
export interface RunningSensors {
  /** Gives up sensors that are no longer assigned to this container, and takes new ones. */
  reconcile(): Promise<void>;
  /**
   * Whether the last assignment was carried out and the containers are still the same, so that the next one differs only if sensors have
   * changed.
   */
  isSettled(): Promise<boolean>;
  /** Sends each sensor its triggers, as currently stored. */
  syncTriggers(): Promise<void>;
  /** Checks in the store whether this container still owns each sensor. */
  confirm(): void;
  /** Takes no more sensors. */
  close(): void;
  isClosed(): boolean;
  /** Ends all processes and gives the sensors up. */
  end(graceMs?: number): Promise<void>;
  count(): { readonly up: number; readonly held: number };
}

export function createRunningSensors(deps: RunningSensorsDeps): RunningSensors {
  const { store, assignment } = deps;
  const running = new Map<string, SupervisedSensor>();
  let closed = false;
  /** The living containers at the last assignment, if it was carried out. */
  let containers: string | undefined;

  async function take(sensor: SensorTypeRecord, found: SensorAssignment): Promise<void> {
    if (!(await claimSensor(deps, sensor, found, () => closed))) return;
    const supervised = supervise(deps.supervising, sensor, deps.once);
    running.set(sensor.ref, supervised);
    void supervised.finished.then((exitCode) => {
      running.delete(sensor.ref);
      deps.onEnd(exitCode);
    });
  }

  return {
    isSettled: async () =>
      containers !== undefined && assignment.partition.isShared && (await livingContainers(assignment)) === containers,
    async reconcile() {
      containers = undefined;
      const found = await assignSensors(assignment);
      const wanted = new Map(found.wanted.map((sensor) => [sensor.ref, sensor]));
      for (const [ref, { sensor, stop }] of running) {
        const now = wanted.get(ref);
        if (!now || fingerprint(now) !== fingerprint(sensor)) stop();
      }
      const missing = found.wanted.filter(({ ref }) => !running.has(ref) && !closed);
      await Promise.all(missing.map((sensor) => take(sensor, found)));
      await forgetDeleted(store, found);
      if (found.wanted.every(({ ref }) => running.has(ref))) containers = found.containers;
    },
    async syncTriggers() {
      const types = [...new Set([...running.values()].flatMap(({ sensor }) => sensor.trigger_types))];
      if (types.length === 0) return;
      const triggers = await store.triggers.list({ filter: { type: isOneOf(types) }, sort: { _id: 1 } });
      for (const { sensor, syncTriggers: sync } of running.values())
        sync(triggers.filter(({ type }) => sensor.trigger_types.includes(type)));
    },
    confirm() {
      for (const sensor of running.values()) sensor.confirm();
    },
    close() {
      closed = true;
    },
    isClosed: () => closed,
    async end(graceMs) {
      for (const { stop } of running.values()) stop(graceMs);
      await Promise.all([...running.values()].map((sensor) => sensor.finished));
    },
    count: () => ({
      up: [...running.values()].filter(({ isRunning }) => isRunning).length,
      held: running.size,
    }),
  };
}

/** Makes this container the owner of a sensor that no living container owns. @returns whether it is the owner now */
async function claimSensor(
  { store, logger, supervising: { instance, host } }: RunningSensorsDeps,
  { ref }: SensorTypeRecord,
  { states, isTaken }: SensorAssignment,
  isClosed: () => boolean,
): Promise<boolean> {
  if (isTaken(ref)) return false;
  const before = states.get(ref);
  if (before) await endLeftovers(before, host, logger);
  if (isClosed()) return false;
  const owner = { instance, host, pid: process.pid };
  return (await store.sensorStates.claim(ref, owner, before?.owner?.instance)) !== undefined;
}

/** Removes the states and logs of deleted sensors, once they no longer run. */
async function forgetDeleted(
  { sensorStates, sensorLogs }: Pick<Store, 'sensorStates' | 'sensorLogs'>,
  { sensors, states }: SensorAssignment,
): Promise<void> {
  const known = new Set(sensors.map(({ ref }) => ref));
  for (const [ref, { owner }] of states) {
    if (known.has(ref) || owner) continue;
    await sensorLogs.remove(ref);
    await sensorStates.forget(ref);
  }
}

/** Covers everything that a process is started with: a change restarts the sensor. */
const fingerprint = ({ _id, enabled: _, content_hash: _hash, ...rest }: SensorTypeRecord): string =>
  JSON.stringify([_id, Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))]);

/**
 * Ends the processes of a sensor that a dead container has left on this host. On another host its guard has done so.
 * @param state as it was before the sensor was taken over
 */
async function endLeftovers(
  { _id: ref, owner, process }: SensorStateRecord,
  host: string,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  if (owner?.host !== host) return;
  const marker = { name: SENSOR_MARKER, value: `${owner.instance}:${ref}` };
  const group = process && { pgid: process.pid, startTime: process.start_time, bootId: process.boot_id };
  const outcome = group && (await endProcessGroup(group, { marker }));
  // The container may have died between starting the process and recording it.
  const strays = await killMarked(marker);
  if (outcome === 'ended' || strays.length > 0)
    logger.warn('Killed processes left behind by a dead sensor container.', { sensor: ref, strays: strays.length });
}
