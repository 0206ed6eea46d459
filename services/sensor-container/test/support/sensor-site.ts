import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newId, type Clock } from '@switchyard/base';
import { paths, type Config, type ConfigOverrides } from '@switchyard/config';
import { createDatastore, createValueCipher, type Datastore } from '@switchyard/datastore';
import type { Service } from '@switchyard/host';
import { createIdentities } from '@switchyard/identity';
import { recordChange } from '@switchyard/messaging';
import type { SensorStateRecord, SensorTypeRecord, TriggerInstanceRecord } from '@switchyard/model';
import { createSensorContainer, type SensorContainerDeps } from '@switchyard/sensor-container';
import { eventually, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { createTriggers, type Triggers } from '@switchyard/triggers';

export interface ContainerOptions {
  sensorcontainer?: Partial<Config['sensorcontainer']>;
  clock?: Clock;
  onSingleEnd?: (exitCode: number) => void;
  dispatch?: SensorContainerDeps['dispatch'];
}

/** A pack `tests` with sensors, a store, a bus, and containers over them. */
export interface SensorSite {
  readonly platform: TestPlatform;
  readonly triggers: Triggers;
  readonly datastore: Datastore;
  readonly packDirectory: string;
  write(file: string, text: string): Promise<string>;
  /** Stores a sensor with the file `sensors/<name>` of the given text; its trigger type is `tests.<class in lower case>`. */
  addSensor(sensor: SensorSource): Promise<SensorTypeRecord>;
  /** Changes the record, and notifies the containers. */
  changeSensor(ref: string, change: Partial<SensorTypeRecord>): Promise<void>;
  removeSensor(ref: string): Promise<void>;
  container(options?: ContainerOptions): Promise<Service>;
  state(ref: string): Promise<SensorStateRecord | undefined>;
  untilState(ref: string, ...states: SensorStateRecord['state'][]): Promise<SensorStateRecord>;
  events(trigger: string): Promise<TriggerInstanceRecord[]>;
  untilEvents(trigger: string, count: number): Promise<TriggerInstanceRecord[]>;
  close(): Promise<void>;
}

export interface SensorSource extends Partial<SensorTypeRecord> {
  class_name: string;
  /** Default: `probe.py`. */
  file?: string;
  text: string;
}

const QUICK = { restart_delay_ms: 50, restart_delay_max_ms: 200 };

export async function openSensorSite(overrides: ConfigOverrides = {}): Promise<SensorSite> {
  const platform = await openTestPlatform(overrides);
  const { config, store, bus, clock, logger } = platform;
  const where = paths(config);
  const packDirectory = join(where.packs, 'tests');
  await mkdir(join(packDirectory, 'sensors'), { recursive: true });
  const identities = createIdentities({ store, clock, config });
  const triggers = createTriggers({ store, publisher: bus.publisher(), config, clock, logger });
  await triggers.registerBuiltIn();
  const cipher = createValueCipher({ enabled: true, path: where.datastoreKey, mayCreate: true });
  const datastore = createDatastore({
    store,
    cipher,
    clock,
    logger,
    access: identities.access,
    systemUser: config.system_user.user,
  });
  const started: Service[] = [];
  const tell = (change: 'create' | 'update' | 'delete', { _id, ref }: SensorTypeRecord) =>
    bus.publisher().publish(recordChange({ record: 'sensor', change, id: _id, ref }));
  const write = async (file: string, text: string) => {
    const path = join(packDirectory, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  const state = (ref: string) => store.sensorStates.get(ref);
  const events = (trigger: string) =>
    store.triggerInstances.list({ filter: { trigger }, sort: { occurrence_time: 1 } });
  return {
    platform,
    triggers,
    datastore,
    packDirectory,
    write,
    state,
    events,
    async addSensor({ file = 'probe.py', text, ...given }) {
      const path = await write(join('sensors', file), text);
      const { class_name: name } = given;
      const type = await triggers.registerType({ pack: 'tests', name: name.toLowerCase() });
      const record = aSensor({
        name,
        artifact_uri: pathToFileURL(path).href,
        trigger_types: [type.ref],
        ...given,
      });
      await store.sensorTypes.insert(record);
      await tell('create', record);
      return record;
    },
    async changeSensor(ref, change) {
      const record = { ...(await store.sensorTypes.byKey(ref))!, ...change };
      await store.sensorTypes.replace(record);
      await tell('update', record);
    },
    async removeSensor(ref) {
      const record = (await store.sensorTypes.byKey(ref))!;
      await store.sensorTypes.remove(record._id);
      await tell('delete', record);
    },
    async container({ sensorcontainer = {}, ...options } = {}) {
      const service = createSensorContainer({
        ...platform,
        config: { ...config, sensorcontainer: { ...config.sensorcontainer, ...QUICK, ...sensorcontainer } },
        dispatch: triggers.dispatch,
        datastore,
        tokens: identities.tokens,
        access: identities.access,
        apiUrl: 'http://api',
        environment: process.env,
        ...options,
      });
      await service.start();
      started.push(service);
      return service;
    },
    untilState(ref, ...states) {
      let last: SensorStateRecord | undefined;
      return eventually(
        async () => {
          last = await state(ref);
          return last && states.includes(last.state) && last;
        },
        () => `${ref} to be ${states.join(' or ')}, but it is ${JSON.stringify(last)}\n${platform.log.join('')}`,
      );
    },
    untilEvents: (trigger, count) =>
      eventually(
        async () => {
          const found = await events(trigger);
          return found.length >= count && found;
        },
        () => `${count} events of ${trigger}\n${platform.log.join('')}`,
      ),
    async close() {
      await Promise.all(started.map((service) => service.stop()));
      await platform.close();
    },
  };
}

export const aSensor = (given: Partial<SensorTypeRecord> & { name: string }): SensorTypeRecord => ({
  _id: newId(),
  ref: `tests.${given.name}`,
  uid: `sensor_type:tests:${given.name}`,
  pack: 'tests',
  enabled: true,
  class_name: given.name,
  artifact_uri: 'file:///nowhere',
  entry_point: `sensors.probe.${given.name}`,
  trigger_types: [],
  metadata_file: `sensors/${given.name}.yaml`,
  ...given,
});
