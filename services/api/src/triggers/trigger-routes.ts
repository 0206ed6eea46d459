import { fault } from '@switchyard/base';
import { ADMINISTRATORS, route, type Route } from '@switchyard/http';
import { triggerAnswer, triggerBody, triggerRecordSchema } from '@switchyard/model/resources';
import type { TriggerRecord } from '@switchyard/model';
import { storedRef } from '@switchyard/triggers';
import { byText, listRoute, type ListFilter } from '../lists/list-route';
import { sortableBy } from '../lists/sortable-by';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord } from '../find-record';
import { triggerView } from './trigger-views';
import { guardedTrigger, visibleTriggers } from './trigger-permissions';

export const triggerRoutes = (deps: ApiDependencies): Route[] => [
  listTriggers(deps),
  createTrigger(deps),
  getTrigger(deps),
  updateTrigger(deps),
  deleteTrigger(deps),
];

const ofType = byText<TriggerRecord>('type', 'Reference of the trigger type', storedRef);

/** `st2 trigger getspecs` without a reference sends the text `None`, which is no reference. */
const byType: ListFilter<TriggerRecord> = {
  ...ofType,
  condition: (given) => (given === 'None' ? {} : ofType.condition(given)),
};

const listTriggers = (deps: ApiDependencies): Route =>
  listRoute(deps, {
    path: '/triggers',
    operation: 'triggers.get_all',
    summary: 'Triggers by reference',
    permission: 'trigger_list',
    visible: visibleTriggers,
    records: deps.store.triggers,
    filters: {
      name: byText('name'),
      pack: byText('pack'),
      type: byType,
    },
    sortable: sortableBy(triggerRecordSchema),
    order: { ref: 1 },
    attributes: { unknownIgnored: true },
    needed: [],
    schema: triggerAnswer,
    views: (found) => found.map(triggerView),
  });

const getTrigger = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/triggers/{id}',
    operation: 'triggers.get_one',
    summary: 'One trigger, by id or reference',
    permission: 'trigger_view',
    resource: ({ params }) => guardedTrigger(store, params.id),
    response: { status: 200, schema: triggerAnswer },
    handle: async ({ params }) => ({ status: 200, body: triggerView(await findRecord(store.triggers, params.id)) }),
  });

const createTrigger = ({ triggers, logger }: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/triggers',
    operation: 'triggers.post',
    summary: 'Create a trigger, or return the existing one unchanged',
    permission: ADMINISTRATORS,
    body: 'any',
    bodySchema: triggerBody,
    response: { status: 201, schema: triggerAnswer },
    async handle({ body, requester }) {
      const record = await triggers.createTrigger(body);
      logger.audit('Trigger created.', { trigger: record.ref, user: requester.user });
      return { status: 201, body: triggerView(record) };
    },
  });

const updateTrigger = ({ store, triggers, logger }: ApiDependencies): Route =>
  route({
    method: 'PUT',
    path: '/triggers/{id}',
    operation: 'triggers.put',
    summary: 'Replace a trigger, keeping its id',
    permission: ADMINISTRATORS,
    body: 'any',
    bodySchema: triggerBody,
    response: { status: 200, schema: triggerAnswer },
    async handle({ body, params, requester }) {
      const before = await findRecord(store.triggers, params.id);
      const record = await triggers.replaceTrigger(before, body);
      logger.audit('Trigger updated.', { trigger: record.ref, user: requester.user });
      return { status: 200, body: triggerView(record) };
    },
  });

const deleteTrigger = ({ store, triggers, logger }: ApiDependencies): Route =>
  route({
    method: 'DELETE',
    path: '/triggers/{id}',
    operation: 'triggers.delete',
    summary: 'Delete a trigger that no rule listens to',
    permission: ADMINISTRATORS,
    response: { status: 204 },
    async handle({ params, requester }) {
      const trigger = await findRecord(store.triggers, params.id);
      if (!(await triggers.removeTrigger(trigger))) throw fault('resource.ref-not-found', { id: trigger.ref });
      logger.audit('Trigger deleted.', { trigger: trigger.ref, user: requester.user });
      return { status: 204 };
    },
  });
