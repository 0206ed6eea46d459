import {
  attributeParameters,
  pageParameters,
  readAttributes,
  readPage,
  readSort,
  route,
  sortParameter,
  type Direction,
  type Requester,
  type Route,
} from '@switchyard/http';
import { toUid } from '@switchyard/model';
import { attributeNames, sortKeys, traceAnswer, traceRecordSchema } from '@switchyard/model/resources';
import { idCondition } from '../lists/conditions';
import type { ApiDependencies } from '../api-dependencies';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { grantedTo } from '../permissions/visible-records';
import { visibleParts } from './visible-parts';

export const traceRoutes = (deps: ApiDependencies): Route[] => [listTraces(deps), getTrace(deps)];

const DEFAULT_LIMIT = 100;
const START = 'start_timestamp';
const SORTABLE = sortKeys(traceRecordSchema);
const listTraces = (deps: ApiDependencies): Route => {
  const { config, executions } = deps;
  return route({
    method: 'GET',
    path: '/traces',
    operation: 'traces.get_all',
    summary: 'Traces, newest first: executions and events that caused one another',
    permission: 'trace_list',
    query: {
      id: { type: 'list', description: 'Ids' },
      trace_tag: { type: 'string', description: 'Tag' },
      execution: { type: 'string', description: 'Id of an execution in it' },
      rule: { type: 'string', description: 'Id of a rule in it' },
      trigger_instance: { type: 'string', description: 'Id of a trigger instance in it' },
      sort_asc: { type: 'string', description: '`True`: the earliest first' },
      sort_desc: { type: 'string', description: '`True`: the latest first' },
      ...sortParameter,
      ...pageParameters,
      ...attributeParameters,
    },
    response: { status: 200, schema: listed(traceAnswer) },
    async handle(request) {
      const { id, trace_tag: tag, execution, rule, trigger_instance: instance, sort } = request.query;
      const page = readPage(request, { defaultLimit: DEFAULT_LIMIT, maxPageSize: config.api.max_page_size });
      const selection = readAttributes(request.query, { known: attributeNames(traceAnswer) });
      if (id) idCondition(id);
      const parts = { action_executions: execution, rules: rule, trigger_instances: instance };
      const seen = await visibleParts(deps, request.requester);
      const ids = (await seen.shows(parts)) ? await visibleIds(deps, request.requester, id) : [];
      const { items, total } = await executions.traces.find({
        ...(ids ? { ids } : {}),
        ...(tag === undefined ? {} : { tag }),
        ...(execution === undefined ? {} : { execution }),
        ...(rule === undefined ? {} : { rule }),
        ...(instance === undefined ? {} : { triggerInstance: instance }),
        sort: readSort(sort, SORTABLE, usualOrder(request.query)),
        page,
      });
      const records = { each: () => byId(items), count: async () => total };
      const asked = { filter: {}, sort: {}, page, budget: pageBudget(config, request) };
      return listRecords(records, asked, async ({ view }) => selection.apply(await seen.of(view)));
    },
  });
};

/** The requested traces that may be viewed; undefined for all. */
async function visibleIds(
  deps: ApiDependencies,
  requester: Requester,
  asked: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  const granted = await grantedTo(deps, requester, 'trace_view');
  if (!granted) return asked;
  const names = granted.names('trace');
  return asked ? asked.filter((id) => names.includes(id)) : names;
}

type View = Record<string, unknown>;

async function* byId(views: AsyncIterable<View>): AsyncGenerator<{ _id: string; view: View }> {
  for await (const view of views) yield { _id: String(view['id']), view };
}

/** Only the text `True` counts, as everywhere in this API. */
const usualOrder = ({ sort_asc: ascending }: { sort_asc?: string | undefined }): Record<string, Direction> => ({
  [START]: ascending === 'True' ? 1 : -1,
  trace_tag: 1,
});

const getTrace = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/traces/{id}',
    operation: 'traces.get_one',
    summary: 'One trace, with all of its parts',
    permission: 'trace_view',
    resource: ({ params }) => ({ uid: toUid('trace', params.id) }),
    response: { status: 200, schema: traceAnswer },
    async handle({ params, requester }) {
      const trace = await deps.executions.traces.get(params.id);
      return { status: 200, body: await (await visibleParts(deps, requester)).of(trace) };
    },
  });
