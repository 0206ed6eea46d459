import { createInquiries, OPEN_INQUIRIES } from '@switchyard/executions';
import { route, type Route } from '@switchyard/http';
import { executionRecordSchema, inquiryAnswer } from '@switchyard/model/resources';
import { byText, listRoute } from '../lists/list-route';
import { sortableBy } from '../lists/sortable-by';
import type { ApiDependencies } from '../api-dependencies';
import { guardedInquiry, visibleInquiries } from './inquiry-permissions';

export const listInquiriesRoute = (deps: ApiDependencies): Route => {
  const inquiries = createInquiries(deps.executions);
  return listRoute(deps, {
    path: '/inquiries',
    operation: 'inquiries.get_all',
    summary: 'Open inquiries, oldest first',
    permission: 'inquiry_list',
    visible: visibleInquiries(deps),
    records: deps.executions.records,
    among: OPEN_INQUIRIES,
    filters: {
      action: byText('action_ref', 'Reference of the action of the inquiry'),
      user: byText('context.user', 'The user of the execution'),
      parent: byText('parent', 'Id of the parent execution'),
    },
    sortable: sortableBy(executionRecordSchema, ['id', 'action', 'user', 'parent', 'start_timestamp']),
    order: { start_timestamp: 1 },
    defaultLimit: 20,
    attributes: { unknownIgnored: true },
    schema: inquiryAnswer,
    views: (found) => Promise.all(found.map(async (record) => ({ ...(await inquiries.of(record)) }))),
  });
};

export const getInquiryRoute = (deps: ApiDependencies): Route => {
  const inquiries = createInquiries(deps.executions);
  return route({
    method: 'GET',
    path: '/inquiries/{id}',
    operation: 'inquiries.get_one',
    summary: 'One open inquiry',
    permission: 'inquiry_view',
    resource: ({ params }) => guardedInquiry(deps, params.id),
    response: { status: 200, schema: inquiryAnswer },
    handle: async ({ params }) => ({ status: 200, body: await inquiries.get(params.id) }),
  });
};
