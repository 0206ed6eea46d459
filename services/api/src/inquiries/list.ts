import { createInquiries, OPEN_INQUIRIES } from '@switchyard/executions';
import type { Route } from '@switchyard/http';
import { attributeNames, inquiryAnswer } from '@switchyard/model/resources';
import { byText, listRoute } from '../lists/list-route';
import type { ApiDependencies } from '../api-dependencies';

const FIELDS = { action: 'action_ref', user: 'context.user', parent: 'parent' } as const;

export const listInquiriesRoute = (deps: ApiDependencies): Route => {
  const inquiries = createInquiries(deps);
  return listRoute(deps, {
    path: '/inquiries',
    operation: 'inquiries.get_all',
    summary: 'Questions that wait for an answer, the oldest first',
    permission: 'inquiry_list',
    records: deps.store.executions,
    among: OPEN_INQUIRIES,
    filters: {
      action: byText(FIELDS.action, 'Reference of the action that asks'),
      user: byText(FIELDS.user, 'On whose behalf it asks'),
      parent: byText(FIELDS.parent, 'Id of the execution that it is a part of'),
    },
    sortable: { ...FIELDS, id: '_id', start_timestamp: 'start_timestamp' },
    order: { start_timestamp: 1 },
    defaultLimit: 20,
    attributes: { known: attributeNames(inquiryAnswer) },
    schema: inquiryAnswer,
    views: (found) => Promise.all(found.map(async (record) => ({ ...(await inquiries.of(record)) }))),
  });
};
