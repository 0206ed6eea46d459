import { fault } from '@switchyard/base';
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
import type { TriggerInstanceRecord } from '@switchyard/model';
import type { Filter, Store } from '@switchyard/storage';
import { storedRef, type TraceContext } from '@switchyard/triggers';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { timeRange } from '../events/time-range';
import { TRIGGER_INSTANCE_ATTRIBUTES, triggerInstanceSchema, triggerInstanceView } from '../events/trigger-views';
import { listRecords } from '../lists/list-records';
import { pageBudget } from '../lists/page-budget';
import { storedFields } from '../stored-fields';

export const triggerInstanceRoutes = (deps: ApiDependencies): Route[] => [
  listTriggerInstances(deps),
  getTriggerInstance(deps),
  reEmit(deps),
];

const DEFAULT_LIMIT = 100;
const TIME = 'occurrence_time';
const SORTABLE = { id: '_id', trigger: 'trigger', status: 'status', timestamp: TIME, [TIME]: TIME };

const listTriggerInstances = ({ config, store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/triggerinstances',
    operation: 'trigger_instances.get_all',
    summary: 'What has happened, the latest first',
    permission: 'trigger_list',
    query: {
      id: { type: 'list', description: 'Ids' },
      trigger: { type: 'string', description: 'Reference of the trigger' },
      trigger_type: { type: 'string', description: 'Reference of the trigger type' },
      status: { type: 'string' },
      timestamp_gt: { type: 'string', description: 'Happened after' },
      timestamp_lt: { type: 'string', description: 'Happened before' },
      ...sortParameter,
      ...pageParameters,
      ...attributeParameters,
    },
    response: { status: 200, schema: Type.Array(triggerInstanceSchema) },
    async handle(request) {
      const { id, status, timestamp_gt: after, timestamp_lt: before, sort: order } = request.query;
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, { known: TRIGGER_INSTANCE_ATTRIBUTES });
      const filter = {
        ...(id ? { _id: idCondition(id) } : {}),
        ...(status === undefined ? {} : { status: textCondition(status) }),
        ...(await triggerCondition(store, request.query)),
        ...timeRange(TIME, after, before),
      };
      const sort = readSort(order, SORTABLE, { [TIME]: -1 });
      const fields = storedFields(selection, TRIGGER_INSTANCE_ATTRIBUTES);
      return listRecords(
        store.triggerInstances,
        { filter, sort, page, fields, budget: pageBudget(config, request) },
        (record) => selection.apply(triggerInstanceView(record)),
      );
    },
  });

/** Instances know their trigger and not its type. */
async function triggerCondition(
  { triggers }: Pick<Store, 'triggers'>,
  { trigger, trigger_type: type }: { trigger?: string | undefined; trigger_type?: string | undefined },
): Promise<Filter> {
  const named = trigger === undefined ? {} : { trigger: textCondition(storedRef(trigger)) };
  if (type === undefined) return named;
  const ref = storedRef(type);
  const found = await triggers.list({ filter: { type: ref }, fields: ['ref'] });
  // The type's own name stands for what was dispatched without a trigger.
  const ofType = { trigger: { $in: [...new Set([ref, ...found.map((each) => each.ref)])] } };
  return trigger === undefined ? ofType : { $and: [named, ofType] };
}

const getTriggerInstance = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/triggerinstances/{id}',
    operation: 'trigger_instances.get_one',
    summary: 'One thing that has happened',
    permission: 'trigger_view',
    response: { status: 200, schema: triggerInstanceSchema },
    handle: async ({ params }) => ({ status: 200, body: triggerInstanceView(await find(store, params['id'])) }),
  });

const reEmit = ({ store, triggers, logger }: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/triggerinstances/{id}/re_emit',
    operation: 'trigger_instances.re_emit',
    summary: 'Let it happen once more; it joins the same trace',
    permission: 'trigger_all',
    response: { status: 200, schema: Type.Object({ message: Type.String(), payload: Type.Object({}) }) },
    async handle({ params, requester }) {
      const original = await find(store, params['id']);
      const payload = { ...original.payload, __context: { original_id: original._id } };
      const made = await triggers.dispatch({
        trigger: original.trigger,
        payload,
        traceContext: (original.trace_context as TraceContext | undefined) ?? null,
        validate: false,
      });
      const ids = { trigger_instance: original._id, new_trigger_instance: made._id };
      logger.audit('Trigger instance emitted again.', { ...ids, user: requester.user });
      // The spelling is the interface's.
      return { status: 200, body: { message: `Trigger instance ${original._id} succesfully re-sent.`, payload } };
    },
  });

async function find(
  { triggerInstances }: Pick<Store, 'triggerInstances'>,
  id: string | undefined,
): Promise<TriggerInstanceRecord> {
  const record = await triggerInstances.get(id ?? '');
  if (!record) throw fault('resource.id-not-found', { id: id ?? '' });
  return record;
}
