import { fault } from '@switchyard/base';
import { refuseSystemPack } from '@switchyard/content';
import { ADMINISTRATORS, route, type Route } from '@switchyard/http';
import { triggerTypeAnswer, triggerTypeBody, triggerTypeRecordSchema } from '@switchyard/model/resources';
import { checkTriggerType } from '@switchyard/triggers';
import { byText, listRoute } from '../lists/list-route';
import { sortableBy } from '../lists/sortable-by';
import type { ApiDependencies } from '../api-dependencies';
import { findRecord } from '../find-record';
import { triggerTypeView } from './trigger-views';
import { visibleByName } from '../permissions/visible-records';
import { guardedTriggerType } from './trigger-permissions';

/** The routes of trigger types. The permissions on triggers apply. */
export const triggerTypeRoutes = (deps: ApiDependencies): Route[] => [
  listTriggerTypes(deps),
  createTriggerType(deps),
  getTriggerType(deps),
  updateTriggerType(deps),
  deleteTriggerType(deps),
];

const listTriggerTypes = (deps: ApiDependencies): Route =>
  listRoute(deps, {
    path: '/triggertypes',
    operation: 'trigger_types.get_all',
    summary: 'Trigger types by reference',
    permission: 'trigger_list',
    visible: visibleByName('trigger', 'ref'),
    records: deps.store.triggerTypes,
    filters: { name: byText('name', 'Names', storedNames), pack: byText('pack') },
    sortable: sortableBy(triggerTypeRecordSchema),
    order: { ref: 1 },
    defaultLimit: 100,
    attributes: { always: ['ref'] },
    needed: [],
    schema: triggerTypeAnswer,
    views: (found) => found.map(triggerTypeView),
  });

/** Names of built-in types, in either of their forms. */
const storedNames = (names: string): string => names.replace(/(^|,)svc\./g, '$1st2.');

const getTriggerType = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/triggertypes/{ref_or_id}',
    operation: 'trigger_types.get_one',
    summary: 'One trigger type',
    permission: 'trigger_view',
    resource: ({ params }) => guardedTriggerType(store, params.ref_or_id),
    response: { status: 200, schema: triggerTypeAnswer },
    async handle({ params }) {
      return { status: 200, body: triggerTypeView(await findRecord(store.triggerTypes, params.ref_or_id)) };
    },
  });

const createTriggerType = ({ triggers, logger }: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/triggertypes',
    operation: 'trigger_types.post',
    summary: 'Create a trigger type; one without parameters gets its trigger',
    permission: ADMINISTRATORS,
    body: 'any',
    bodySchema: triggerTypeBody,
    response: { status: 201, schema: triggerTypeAnswer },
    async handle({ body, requester }) {
      const draft = checkTriggerType(body);
      refuseSystemPack(draft.pack);
      const record = await triggers.createType(draft);
      logger.audit('Trigger type created.', { trigger_type: record.ref, user: requester.user });
      return { status: 201, body: triggerTypeView(record) };
    },
  });

const updateTriggerType = ({ store, triggers, logger }: ApiDependencies): Route =>
  route({
    method: 'PUT',
    path: '/triggertypes/{ref_or_id}',
    operation: 'trigger_types.put',
    summary: 'Replace a trigger type, keeping its id',
    permission: ADMINISTRATORS,
    body: 'any',
    bodySchema: triggerTypeBody,
    response: { status: 200, schema: triggerTypeAnswer },
    async handle({ body, params, requester }) {
      const before = await findRecord(store.triggerTypes, params.ref_or_id);
      refuseSystemPack(before.pack);
      const draft = checkTriggerType(body);
      refuseSystemPack(draft.pack);
      const record = await triggers.replaceType(before, draft);
      logger.audit('Trigger type updated.', { trigger_type: record.ref, user: requester.user });
      return { status: 200, body: triggerTypeView(record) };
    },
  });

const deleteTriggerType = ({ store, triggers, logger }: ApiDependencies): Route =>
  route({
    method: 'DELETE',
    path: '/triggertypes/{ref_or_id}',
    operation: 'trigger_types.delete',
    summary: 'Delete a trigger type, and its trigger once no rule listens to it',
    permission: ADMINISTRATORS,
    response: { status: 204 },
    async handle({ params, requester }) {
      const type = await findRecord(store.triggerTypes, params.ref_or_id);
      refuseSystemPack(type.pack);
      if (!(await triggers.removeType(type))) throw fault('resource.ref-not-found', { id: type.ref });
      logger.audit('Trigger type deleted.', { trigger_type: type.ref, user: requester.user });
      return { status: 204 };
    },
  });
