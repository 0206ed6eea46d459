import { createInquiries, OPEN_INQUIRIES } from '@switchyard/executions';
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
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../../api-dependencies';
import { listRecords } from '../../list-records';
import { inquirySchema } from './schema';

const DEFAULT_LIMIT = 20;
const ATTRIBUTES: readonly string[] = ['id', 'route', 'ttl', 'users', 'roles', 'schema'];

const FIELDS = { action: 'action_ref', user: 'context.user', parent: 'parent' } as const;
const SORTABLE = { ...FIELDS, id: '_id', start_timestamp: 'start_timestamp' };

export const listInquiriesRoute = (deps: ApiDependencies): Route => {
  const { config, store } = deps;
  const inquiries = createInquiries(deps);
  return route({
    method: 'GET',
    path: '/inquiries',
    operation: 'inquiries.get_all',
    summary: 'Questions that wait for an answer, the oldest first',
    permission: 'inquiry_list',
    query: {
      id: { type: 'list', description: 'Ids' },
      action: { type: 'string', description: 'Reference of the action that asks' },
      user: { type: 'string', description: 'On whose behalf it asks' },
      parent: { type: 'string', description: 'Id of the execution that it is a part of' },
      ...sortParameter,
      ...pageParameters,
      ...attributeParameters,
    },
    response: { status: 200, schema: Type.Array(inquirySchema) },
    handle(request) {
      const { id, sort, ...named } = request.query;
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, { known: ATTRIBUTES });
      const conditions = Object.entries(FIELDS).flatMap(([name, field]) => {
        const given = named[name as keyof typeof FIELDS];
        return given === undefined ? [] : [[field, textCondition(given)] as const];
      });
      const filter = { ...OPEN_INQUIRIES, ...(id ? { _id: idCondition(id) } : {}), ...Object.fromEntries(conditions) };
      const asked = { filter, sort: readSort(sort, SORTABLE, { start_timestamp: 1 }), page };
      return listRecords(store.executions, asked, async (record) =>
        selection.apply({ ...(await inquiries.of(record)) }),
      );
    },
  });
};
