import type { Sensor, SensorLog } from '@switchyard/model';
import type { ApiTransport } from '../transport/transport';
import { answerOf, readableRecords, type ReadableRecords } from './records';

export interface Sensors extends ReadableRecords<Sensor> {
  setEnabled(sensor: Sensor, enabled: boolean): Promise<Sensor>;
  /** Its last lines. @param query `after`: the `next` of an earlier response */
  log(refOrId: string, query?: { readonly after?: string; readonly lines?: number }): Promise<SensorLog>;
}

const PATH = ['sensortypes'];

export const createSensors = (transport: ApiTransport): Sensors => ({
  ...readableRecords<Sensor>(transport, PATH),
  log: async (refOrId, query = {}) =>
    (
      await transport.json<SensorLog>({
        service: 'api',
        method: 'GET',
        path: [...PATH, refOrId, 'log'],
        query: { ...query },
      })
    ).body,
  setEnabled: ({ id, ref }, enabled) => answerOf(transport, 'PUT', [...PATH, id], { id, ref, enabled }),
});
