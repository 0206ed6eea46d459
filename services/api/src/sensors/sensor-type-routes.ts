import { fault } from '@switchyard/base';
import { refuseSystemPack, removeSensor } from '@switchyard/content';
import { route, type Route } from '@switchyard/http';
import { recordChange } from '@switchyard/messaging';
import type { SensorTypeRecord } from '@switchyard/model';
import { sensorTypeAnswer, sensorTypeRecordSchema } from '@switchyard/model/resources';
import type { Store } from '@switchyard/storage';
import { Type } from '@sinclair/typebox';
import { byFlag, byText, listRoute } from '../lists/list-route';
import { sortableBy } from '../lists/sortable-by';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord } from '../find-record';
import { sensorLogRoute } from './sensor-log-route';
import { sensorView, type SensorWithState } from './sensor-view';
import { guardedRecord } from '../permissions/guarded-record';
import { visibleInPacks } from '../permissions/visible-records';

export const sensorTypeRoutes = (deps: ApiDependencies): Route[] => [
  listSensorTypes(deps),
  getSensorType(deps),
  sensorLogRoute(deps),
  changeSensorType(deps),
  // StackStorm has no such route; with this option off, the response stays a 404.
  ...(deps.config.api.delete_content ? [deleteSensorType(deps)] : []),
];

const listSensorTypes = (deps: ApiDependencies): Route =>
  listRoute(deps, {
    path: '/sensortypes',
    operation: 'sensor_types.get_all',
    summary: 'Sensors by reference, with their state',
    permission: 'sensor_type_list',
    visible: visibleInPacks('sensor_type'),
    records: deps.store.sensorTypes,
    filters: {
      name: byText('name', 'Names'),
      pack: byText('pack'),
      trigger: byText('trigger_types', 'A trigger type that they dispatch'),
      enabled: byFlag('enabled'),
    },
    sortable: sortableBy(sensorTypeRecordSchema),
    order: { ref: 1 },
    attributes: { always: ['ref'] },
    needed: ['ref'],
    schema: sensorTypeAnswer,
    views: async (found) => (await withStates(deps.store, found)).map(sensorView),
  });

const getSensorType = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/sensortypes/{ref_or_id}',
    operation: 'sensor_types.get_one',
    summary: 'One sensor, with its state',
    permission: 'sensor_type_view',
    resource: ({ params }) => guardedRecord('sensor_type', store.sensorTypes, params.ref_or_id),
    response: { status: 200, schema: sensorTypeAnswer },
    async handle({ params }) {
      const record = await findRecord(store.sensorTypes, params.ref_or_id);
      return { status: 200, body: await viewWithState(store, record) };
    },
  });

/** Clients send whole sensors; only this field can be changed. */
const changeBody = Type.Object({ enabled: Type.Boolean() }, { title: 'SensorChange' });

const changeSensorType = ({ store, bus, logger }: ApiDependencies): Route =>
  route({
    method: 'PUT',
    path: '/sensortypes/{ref_or_id}',
    operation: 'sensor_types.put',
    summary: 'Enable or disable a sensor',
    permission: 'sensor_type_modify',
    resource: ({ params }) => guardedRecord('sensor_type', store.sensorTypes, params.ref_or_id),
    body: changeBody,
    response: { status: 200, schema: sensorTypeAnswer },
    async handle({ body, params, requester }) {
      const before = await findRecord(store.sensorTypes, params.ref_or_id);
      refuseSystemPack(before.pack);
      const { enabled } = body;
      const record = { ...before, enabled };
      if (!(await store.sensorTypes.replace(record))) throw fault('resource.changed-meanwhile', { id: before.ref });
      logger.audit('Sensor updated.', { sensor: record.ref, enabled, user: requester.user });
      await bus
        .publisher()
        .publish(recordChange({ record: 'sensor', change: 'update', id: record._id, ref: record.ref }))
        .catch((error: unknown) =>
          logger.warn('Failed to announce a change to sensor containers; they will find it.', { error }),
        );
      return { status: 200, body: await viewWithState(store, record) };
    },
  });

const deleteSensorType = ({ store, bus, logger }: ApiDependencies): Route =>
  route({
    method: 'DELETE',
    path: '/sensortypes/{ref_or_id}',
    operation: 'sensor_types.delete',
    summary: 'Delete a sensor; its container stops it',
    permission: 'sensor_type_all',
    resource: ({ params }) => guardedRecord('sensor_type', store.sensorTypes, params.ref_or_id),
    response: { status: 204 },
    async handle({ params, requester }) {
      const sensor = await findRecord(store.sensorTypes, params.ref_or_id);
      refuseSystemPack(sensor.pack);
      if (!(await removeSensor({ store, publisher: bus.publisher(), logger }, sensor)))
        throw fault('resource.ref-not-found', { id: sensor.ref });
      logger.audit('Sensor deleted.', { sensor: sensor.ref, user: requester.user });
      return { status: 204 };
    },
  });

type SensorStore = Pick<Store, 'sensorTypes' | 'sensorStates'>;

const viewWithState = async ({ sensorStates }: SensorStore, record: SensorTypeRecord) =>
  sensorView({ ...record, running: await sensorStates.get(record.ref) });

/** Adds the states of all sensors with one further read. */
async function withStates(
  { sensorStates }: SensorStore,
  records: readonly SensorTypeRecord[],
): Promise<SensorWithState[]> {
  const states = await sensorStates.list(records.map(({ ref }) => ref));
  const byRef = new Map(states.map((state) => [state._id, state]));
  return records.map((record) => ({ ...record, running: byRef.get(record.ref) }));
}
