import { route, type Route } from '@switchyard/http';
import { executionAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { listDescendants } from './descendants';
import { withFittingResult } from './fitting-result';
import { findExecution } from './find-execution';
import { listRecords } from '../lists/list-records';
import { listed } from '../lists/listed-schema';
import { pageBudget } from '../lists/page-budget';
import { secretsShown } from '../secrets-shown';

/** The path of the list below that of its execution. */
const OWN_PATH = /[^/]+\/children$/;

export const childrenRoute = ({ config, executions }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/{id}/children',
    operation: 'execution_children.get_one',
    summary: 'The executions that an execution has started, and those that they have started',
    permission: 'execution_view',
    query: {
      depth: { type: 'integer', default: -1, description: '1 for the direct children; -1 for all' },
      result_fmt: { type: 'string', description: 'sorted: by start; else each before its own children' },
    },
    response: { status: 200, schema: listed(executionAnswer) },
    async handle(request) {
      const root = await findExecution(executions.records, request.params.id, ['has_children']);
      const { depth, result_fmt: format } = request.query;
      const found = await listDescendants(executions.records, root, { depth, flat: format === 'sorted' });
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
