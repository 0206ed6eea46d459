import type { SensorTypeRecord } from '@switchyard/model';
import type { TriggerTypeDraft } from '@switchyard/triggers';
import { inspectSensor, type SensorFile } from '../sensors/inspect-sensor';
import { writeSensor } from '../sensors/write-sensor';
import type { Loader } from './loader';

export const sensorLoader: Loader<SensorFile> = {
  type: 'sensor',
  plural: 'sensors',
  folder: 'sensors',
  otherFiles: [],
  implies: [],
  remembers: false,
  standsAlone: true,
  inspect: inspectSensor,
  stored: (store, pack) => store.sensorTypes.list({ filter: { pack } }),
  async write({ provided, ...draft }, stored, target) {
    for (const type of provided) await target.triggers.registerType(type);
    await writeSensor(draft, stored as SensorTypeRecord | undefined, target);
  },
  provides: ({ provided }): readonly TriggerTypeDraft[] => provided,
};
