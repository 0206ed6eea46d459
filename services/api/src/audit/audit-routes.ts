import { fault, microsToIso } from '@switchyard/base';
import {
  attributeParameters,
  pageParameters,
  readAttributes,
  readPage,
  readSort,
  route,
  sortParameter,
  type Route,
} from '@switchyard/http';
import { checkTrail } from '@switchyard/identity';
import type { Audit, AuditRecord } from '@switchyard/model';
import { attributeNames, auditAnswer, auditCheckAnswer, auditRecordSchema } from '@switchyard/model/resources';
import type { Filter } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';
import { textCondition, timeCondition } from '../lists/conditions';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { sortableBy } from '../lists/sortable-by';

export const auditRoutes = (deps: ApiDependencies): Route[] => [listAudit(deps), verifyAudit(deps), getAudit(deps)];

const DEFAULT_LIMIT = 50;
const SORTABLE = sortableBy(auditRecordSchema);
const KNOWN = attributeNames(auditAnswer);

/** By name of the stored field. */
const filters = {
  kind: { type: 'string', description: 'change, login, refusal, secrets, checkpoint or retention' },
  user: { type: 'string', description: 'Name of a user' },
  address: { type: 'string', description: 'Address of a client' },
  operation: { type: 'string', description: 'Operation id, such as rules.post' },
  resource_type: { type: 'string', description: 'Type of the resource, such as rule' },
  resource: { type: 'string', description: 'Reference or id, as in the request' },
  outcome: { type: 'string', description: 'succeeded, failed or refused' },
  request_id: { type: 'string', description: 'The X-Request-ID of a response' },
} as const;

const listAudit = ({ store, config }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/audit',
    operation: 'audit.get_all',
    permission: 'audit_list',
    summary: 'List who did what, the newest first',
    query: {
      ...filters,
      time_gt: { type: 'string', description: 'After this time' },
      time_lt: { type: 'string', description: 'Before this time' },
      ...sortParameter,
      ...pageParameters,
      ...attributeParameters,
    },
    response: { status: 200, schema: listed(auditAnswer) },
    handle(request) {
      const { time_gt: after, time_lt: before, sort } = request.query;
      const selection = readAttributes(request.query, { known: KNOWN });
      const time = timeCondition({ after, before });
      const asked = {
        filter: { ...equalFields(request.query), ...(time ? { time } : {}) },
        sort: readSort(sort, SORTABLE, { time: -1 }),
        page: readPage(request, { maxPageSize: config.api.max_page_size, defaultLimit: DEFAULT_LIMIT }),
        budget: pageBudget(config, request),
      };
      return listRecords(store.audit, asked, (record) => selection.apply({ ...auditView(record) }));
    },
  });

function equalFields(query: Readonly<Record<string, unknown>>): Filter<AuditRecord> {
  const given = Object.keys(filters).filter((field) => query[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, textCondition(query[field] as string)]));
}

const verifyAudit = ({ store, audit }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/audit/verify',
    operation: 'audit.verify',
    permission: 'audit_list',
    summary: 'Check that no record of the audit trail is missing or altered',
    response: { status: 200, schema: auditCheckAnswer },
    handle: async ({ signal }) => ({ status: 200, body: await checkTrail(store.audit, () => audit?.head(), signal) }),
  });

const getAudit = ({ store }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/audit/{id}',
    operation: 'audit.get_one',
    permission: 'audit_view',
    summary: 'One record of the audit trail',
    response: { status: 200, schema: auditAnswer },
    async handle({ params: { id } }) {
      const record = await store.audit.get(id);
      if (!record) throw fault('resource.id-not-found', { id });
      return { status: 200, body: auditView(record) };
    },
  });

const auditView = ({ _id, time, ...shown }: AuditRecord): Audit => ({ id: _id, time: microsToIso(time), ...shown });
