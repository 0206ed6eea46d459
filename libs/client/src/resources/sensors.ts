import type { Sensor } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { answerOf, readableRecords, type ReadableRecords } from './records';

export interface Sensors extends ReadableRecords<Sensor> {
  setEnabled(sensor: Sensor, enabled: boolean): Promise<Sensor>;
}

const PATH = ['sensortypes'];

export const createSensors = (transport: ApiTransport): Sensors => ({
  ...readableRecords<Sensor>(transport, PATH),
  setEnabled: ({ id, ref }, enabled) => answerOf(transport, 'PUT', [...PATH, id], { id, ref, enabled }),
});
