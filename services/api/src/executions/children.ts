import type { ExecutionRecords } from '@switchyard/executions';
import { route, type Route, secretsShown } from '@switchyard/http';
import type { ExecutionRecord } from '@switchyard/model';
import { executionAnswer } from '@switchyard/model/resources';
import { isOneOf, type Filter } from '@switchyard/storage';
import type { ApiDependencies } from '../api-dependencies';
import { listRecords, type Listable } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { withFittingResult, findExecution } from './execution-answer';
import { guardedExecution, visibleBelow } from './execution-permissions';

/** The path of the list below that of its execution. */
const OWN_PATH = /[^/]+\/children$/;

export const childrenRoute = (deps: ApiDependencies): Route => {
  const { config, executions } = deps;
  return route({
    method: 'GET',
    path: '/executions/{id}/children',
    operation: 'execution_children.get_one',
    summary: 'The executions below an execution',
    permission: 'execution_view',
    resource: guardedExecution(deps),
    query: {
      depth: { type: 'integer', default: -1, description: '1 for the direct children; -1 for all' },
      result_fmt: { type: 'string', description: 'sorted: by start time; otherwise each parent before its children' },
    },
    response: { status: 200, schema: listed(executionAnswer) },
    async handle(request) {
      const root = await findExecution(deps, request, ['has_children']);
      const { depth, result_fmt: format } = request.query;
      const visible = await visibleBelow(deps, request.requester);
      const found = await listDescendants(executions.records, root, { depth, flat: format === 'sorted', visible });
      const showSecrets = secretsShown({ query: { show_secrets: false }, requester: request.requester }, config);
      const budget = pageBudget(config, request, ({ id }, path) => path.replace(OWN_PATH, String(id)));
      const { body, items } = await listRecords(
        found,
        { filter: {}, sort: {}, page: { offset: 0 }, budget },
        (record) =>
          withFittingResult(record, { wanted: true, budget }, (parts) =>
            executions.view.execution(record, { showSecrets, ...parts }),
          ),
      );
      return items ? { status: 200, items } : { status: 200, body };
    },
  });
};

type Node = Pick<ExecutionRecord, '_id' | 'parent' | 'start_timestamp' | 'has_children'>;

const NODE = ['parent', 'start_timestamp', 'has_children'] as const;
/** Number of records read with one call. */
const TOGETHER = 20;

/**
 * Yields the executions below one, without itself. Only their order is kept in memory.
 * @param depth 1 for the direct children; 0 or less for all levels
 * @param flat orders all of them by start time; otherwise each comes before its own children
 * @param visible those that may be shown. What is below another one is not looked for
 */
async function listDescendants(
  records: Pick<ExecutionRecords, 'list'>,
  root: Pick<ExecutionRecord, '_id' | 'has_children'>,
  { depth, flat, visible }: { depth: number; flat: boolean; visible: Filter<ExecutionRecord> },
): Promise<Listable<ExecutionRecord>> {
  const levels: Node[][] = [];
  let parents = root.has_children ? [root._id] : [];
  while (parents.length > 0 && (depth < 1 || levels.length < depth)) {
    const level: Node[] = await records.list({ filter: { ...visible, parent: isOneOf(parents) }, fields: NODE });
    levels.push(level);
    parents = level.filter((record) => record.has_children).map(({ _id }) => _id);
  }
  const all = levels.flat().sort((a, b) => a.start_timestamp - b.start_timestamp);
  const ids = (flat ? all : depthFirst(all, root._id)).map(({ _id }) => _id);
  return { each: () => inOrder(records, ids), count: async () => ids.length };
}

async function* inOrder(
  records: Pick<ExecutionRecords, 'list'>,
  ids: readonly string[],
): AsyncGenerator<ExecutionRecord> {
  for (let from = 0; from < ids.length; from += TOGETHER) {
    const wanted = ids.slice(from, from + TOGETHER);
    const found = await records.list({ filter: { _id: isOneOf(wanted) } });
    const byId = new Map(found.map((record) => [record._id, record]));
    for (const id of wanted) {
      const record = byId.get(id);
      if (record) yield record;
    }
  }
}

function depthFirst(all: readonly Node[], root: string): Node[] {
  const byParent = new Map<string | undefined, Node[]>();
  for (const record of all) {
    const siblings = byParent.get(record.parent);
    if (siblings) siblings.push(record);
    else byParent.set(record.parent, [record]);
  }
  const ordered: Node[] = [];
  // An explicit stack, because users decide how deep executions nest.
  const waiting = (byParent.get(root) ?? []).toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    ordered.push(next);
    for (const child of (byParent.get(next._id) ?? []).toReversed()) waiting.push(child);
  }
  return ordered;
}
