import { fault } from '@switchyard/base';
import {
  ADMINISTRATORS,
  attributeParameters,
  pageParameters,
  readAttributes,
  readPage,
  readSort,
  route,
  sortParameter,
  type Route,
} from '@switchyard/http';
import type { TriggerInstanceRecord } from '@switchyard/model';
import {
  anyObject,
  attributeNames,
  triggerInstanceAnswer,
  triggerInstanceRecordSchema,
} from '@switchyard/model/resources';
import { allFilters, isOneOf, where, type Filter, type Store } from '@switchyard/storage';
import { storedRef, type DispatchTrace } from '@switchyard/triggers';
import { Type } from '@sinclair/typebox';
import { idCondition, textCondition, timeCondition } from '../lists/conditions';
import type { ApiDependencies } from '../api-dependencies';
import { triggerInstanceView } from './trigger-views';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { storedFields } from '../lists/stored-fields';
import { sortableBy } from '../lists/sortable-by';
import { visibleRecords } from '../permissions/visible-records';
import { guardedInstance, visibleInstances } from './trigger-permissions';

export const triggerInstanceRoutes = (deps: ApiDependencies): Route[] => [
  listTriggerInstances(deps),
  getTriggerInstance(deps),
  reEmit(deps),
];

const DEFAULT_LIMIT = 100;
const TIME = 'occurrence_time';
const ATTRIBUTES = attributeNames(triggerInstanceAnswer);
const SORTABLE = sortableBy(triggerInstanceRecordSchema);

const listTriggerInstances = (deps: ApiDependencies): Route => {
  const { config, store } = deps;
  return route({
    method: 'GET',
    path: '/triggerinstances',
    operation: 'trigger_instances.get_all',
    summary: 'Trigger instances, newest first',
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
    response: { status: 200, schema: listed(triggerInstanceAnswer) },
    async handle(request) {
      const { id, status, timestamp_gt: after, timestamp_lt: before, sort: order } = request.query;
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, { known: ATTRIBUTES });
      const happened = timeCondition({ after, before });
      const asked: Filter<TriggerInstanceRecord> = {
        ...(id ? { _id: idCondition(id) } : {}),
        ...(status === undefined ? {} : where<TriggerInstanceRecord>('status', textCondition(status))),
        ...(await triggerCondition(store, request.query)),
        ...(happened ? { occurrence_time: happened } : {}),
      };
      const filter = await visibleRecords(deps, request.requester, visibleInstances(store), asked);
      const sort = readSort(order, SORTABLE, { [TIME]: -1 });
      const fields = storedFields<TriggerInstanceRecord>(selection, ATTRIBUTES);
      return listRecords(
        store.triggerInstances,
        { filter, sort, page, fields, budget: pageBudget(config, request) },
        (record) => selection.apply(triggerInstanceView(record)),
      );
    },
  });
};

/** Instances store their trigger, not its type. */
async function triggerCondition(
  { triggers }: Pick<Store, 'triggers'>,
  { trigger, trigger_type: type }: { trigger?: string | undefined; trigger_type?: string | undefined },
): Promise<Filter<TriggerInstanceRecord>> {
  const named = trigger === undefined ? {} : { trigger: textCondition(storedRef(trigger)) };
  if (type === undefined) return named;
  const ref = storedRef(type);
  const found = await triggers.list({ filter: { type: ref }, fields: ['ref'] });
  // The type's own name stands for instances dispatched without a trigger.
  const ofType = { trigger: isOneOf(new Set([ref, ...found.map((each) => each.ref)])) };
  return trigger === undefined ? ofType : allFilters<TriggerInstanceRecord>([named, ofType]);
}

const getTriggerInstance = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/triggerinstances/{id}',
    operation: 'trigger_instances.get_one',
    summary: 'One trigger instance',
    permission: 'trigger_view',
    resource: ({ params }) => guardedInstance(store, params.id),
    response: { status: 200, schema: triggerInstanceAnswer },
    handle: async ({ params }) => ({ status: 200, body: triggerInstanceView(await find(store, params.id)) }),
  });

const reEmit = ({ store, triggers, logger }: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/triggerinstances/{id}/re_emit',
    operation: 'trigger_instances.re_emit',
    summary: 'Emit the event again; the new instance joins the same trace',
    permission: ADMINISTRATORS,
    response: {
      status: 200,
      schema: Type.Object({ message: Type.String(), payload: anyObject }, { title: 'ReEmitted' }),
    },
    async handle({ params, requester }) {
      const original = await find(store, params.id);
      const payload = { ...original.payload, __context: { original_id: original._id } };
      const made = await triggers.dispatch({
        trigger: original.trigger,
        payload,
        traceContext: (original.trace_context as DispatchTrace | undefined) ?? null,
        validate: false,
      });
      const ids = { trigger_instance: original._id, new_trigger_instance: made._id };
      logger.audit('Trigger instance re-emitted.', { ...ids, user: requester.user });
      // The API spells it like this.
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
