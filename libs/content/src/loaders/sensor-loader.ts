import type { SensorTypeRecord } from '@switchyard/model';
import type { TriggerTypeDraft } from '@switchyard/triggers';
import { inspectSensor, type SensorFile } from '../sensors/inspect-sensor';
import { writeRecord } from '../registrar/write-record';
import type { Loader } from './loader';

export const sensorLoader: Loader<SensorFile> = {
  type: 'sensor',
  plural: 'sensors',
  folder: 'sensors',
  otherFiles: [],
  implies: [],
  remembers: false,
  inspect: inspectSensor,
  stored: (store, pack) => store.sensorTypes.list({ filter: { pack } }),
  async write({ provided, ...draft }, stored, { store, triggers }) {
    for (const type of provided) await triggers.registerType(type);
    await writeRecord(store.sensorTypes, draft.ref, draft, stored as SensorTypeRecord | undefined);
  },
  provides: ({ provided }): readonly TriggerTypeDraft[] => provided,
};
