import { fault } from '@switchyard/base';
import { refuseSystemPack } from '@switchyard/content';
import {
  attributeParameters,
  idCondition,
  pageParameters,
  readAttributes,
  readPage,
  readSort,
  route,
  sortParameter,
  textCondition,
  type Route,
} from '@switchyard/http';
import { recordChange } from '@switchyard/messaging';
import type { SensorTypeRecord } from '@switchyard/model';
import type { Page, Store } from '@switchyard/storage';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord } from '../events/find-record';
import { listRecords } from '../list-records';
import { SENSOR_ATTRIBUTES, sensorSchema, sensorView, type SensorWithState } from '../sensors/sensor-view';
import { storedFields } from '../stored-fields';

export const sensorTypeRoutes = (deps: ApiDependencies): Route[] => [
  listSensorTypes(deps),
  getSensorType(deps),
  changeSensorType(deps),
];

const DEFAULT_LIMIT = 100;
const SORTABLE = { id: '_id', ref: 'ref', name: 'name', pack: 'pack' };

const listSensorTypes = ({ config, store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/sensortypes',
    operation: 'sensor_types.get_all',
    summary: 'Sensors by reference, with how they go',
    permission: 'sensor_type_list',
    query: {
      id: { type: 'list', description: 'Ids' },
      name: { type: 'string', description: 'Names' },
      pack: { type: 'string' },
      trigger: { type: 'string', description: 'A trigger type that they dispatch' },
      enabled: { type: 'boolean' },
      ...sortParameter,
      ...pageParameters,
      ...attributeParameters,
    },
    response: { status: 200, schema: Type.Array(sensorSchema) },
    handle(request) {
      const { id, name, pack, trigger, enabled, sort: order } = request.query;
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, { known: SENSOR_ATTRIBUTES, always: ['ref'] });
      const filter = {
        ...(id ? { _id: idCondition(id) } : {}),
        ...(name === undefined ? {} : { name: textCondition(name) }),
        ...(pack === undefined ? {} : { pack: textCondition(pack) }),
        ...(trigger === undefined ? {} : { trigger_types: textCondition(trigger) }),
        ...(enabled === undefined ? {} : { enabled }),
      };
      const sort = readSort(order, SORTABLE, { ref: 1 });
      const fields = storedFields(selection, SENSOR_ATTRIBUTES, ['ref']);
      return listRecords(withStates(store), { filter, sort, page, fields }, (record) =>
        selection.apply(sensorView(record)),
      );
    },
  });

const getSensorType = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/sensortypes/{ref_or_id}',
    operation: 'sensor_types.get_one',
    summary: 'One sensor, with how it goes',
    permission: 'sensor_type_view',
    response: { status: 200, schema: sensorSchema },
    async handle({ params }) {
      const record = await findRecord(store.sensorTypes, params['ref_or_id']);
      return { status: 200, body: await viewWithState(store, record) };
    },
  });

/** Clients send whole sensors; nothing but this can be changed. */
const changeBody = Type.Object({ enabled: Type.Boolean() });

const changeSensorType = ({ store, bus, logger }: ApiDependencies): Route =>
  route({
    method: 'PUT',
    path: '/sensortypes/{ref_or_id}',
    operation: 'sensor_types.put',
    summary: 'Switch a sensor on or off',
    permission: 'sensor_type_modify',
    body: changeBody,
    response: { status: 200, schema: sensorSchema },
    async handle({ body, params, requester }) {
      const before = await findRecord(store.sensorTypes, params['ref_or_id']);
      refuseSystemPack(before.pack);
      const { enabled } = body as { enabled: boolean };
      const record = { ...before, enabled };
      if (!(await store.sensorTypes.replace(record))) throw fault('resource.changed-meanwhile', { id: before.ref });
      logger.audit('Sensor updated.', { sensor: record.ref, enabled, user: requester.user });
      await bus
        .publisher()
        .publish(recordChange({ record: 'sensor', change: 'update', id: record._id, ref: record.ref }))
        .catch((error: unknown) =>
          logger.warn('Sensor containers could not be told of a change; they will find it.', { error }),
        );
      return { status: 200, body: await viewWithState(store, record) };
    },
  });

type SensorStore = Pick<Store, 'sensorTypes' | 'sensorStates'>;

const viewWithState = async ({ sensorStates }: SensorStore, record: SensorTypeRecord) =>
  sensorView({ ...record, running: await sensorStates.get(record.ref) });

/** Lists of sensors, with one further read for how all of a page go. */
const withStates = ({ sensorTypes, sensorStates }: SensorStore) => ({
  count: sensorTypes.count,
  async list(page: Page): Promise<SensorWithState[]> {
    const records = await sensorTypes.list(page);
    const states = await sensorStates.list(records.map(({ ref }) => ref));
    const byRef = new Map(states.map((state) => [state._id, state]));
    return records.map((record) => ({ ...record, running: byRef.get(record.ref) }));
  },
});
