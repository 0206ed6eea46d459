import { fault, microsToIso, type Micros } from '@switchyard/base';
import { route, type Route } from '@switchyard/http';
import type { SensorLog } from '@switchyard/model';
import { sensorLogAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord } from '../find-record';
import { guardedRecord } from '../permissions/guarded-record';

/** The number of lines that are shown. A few more may be stored. */
const MOST_LINES = 500;

export const sensorLogRoute = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/sensortypes/{ref_or_id}/log',
    operation: 'sensor_type_log.get_one',
    summary: 'The last lines that a sensor wrote, with known secrets masked',
    permission: 'sensor_type_view',
    resource: ({ params }) => guardedRecord('sensor_type', store.sensorTypes, params.ref_or_id),
    query: {
      after: { type: 'string', description: 'Only lines that came after: the `next` of an earlier response' },
      lines: {
        type: 'integer',
        default: MOST_LINES,
        description: `Only so many of the last lines, at most ${MOST_LINES}`,
      },
    },
    response: { status: 200, schema: sensorLogAnswer },
    async handle({ params, query }) {
      const { ref } = await findRecord(store.sensorTypes, params.ref_or_id);
      const after = placeOf(query.after);
      const records = await store.sensorLogs.read(ref, after);
      const lines = records.flatMap((record) => record.lines);
      const count = Math.min(Math.max(query.lines, 0), MOST_LINES);
      const body: SensorLog = {
        lines: lines
          .slice(Math.max(lines.length - count, 0))
          .map(({ at, ...line }) => ({ timestamp: microsToIso(at), ...line })),
        next: String(records.at(-1)?.at ?? after ?? 0),
      };
      return { status: 200, body };
    },
  });

/** @throws Fault `sensor.log-place` */
function placeOf(after: string | undefined): Micros | undefined {
  if (after === undefined) return undefined;
  if (!/^\d{1,16}$/.test(after)) throw fault('sensor.log-place');
  return Number(after);
}
