import { route, type Route } from '@switchyard/http';
import { executionAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { actingUser, rerunBody } from './execution-body';
import { requestKey } from './request-key';
import { secretsShown, showSecretsParameter } from '../secrets-shown';

export const rerunExecutionRoute = ({ config, executions, logger }: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/executions/{id}/re_run',
    operation: 'executions.re_run',
    summary: 'Run the action of an execution once more, with its parameters and those given',
    permission: 'action_execute',
    query: {
      ...showSecretsParameter,
      no_merge: { type: 'boolean', default: false, description: 'Start without the parameters of the old execution' },
    },
    body: rerunBody,
    response: { status: 201, schema: executionAnswer },
    async handle(request) {
      const { user, ...body } = request.body;
      const key = requestKey(request);
      const old = request.params.id;
      const record = await executions.rerun(old, {
        ...body,
        user: actingUser(request.requester, user),
        noMerge: request.query.no_merge,
        ...(key === undefined ? {} : { requestKey: key }),
      });
      logger.audit('Execution re-run requested.', { execution_id: record._id, old, user: request.requester.user });
      const showSecrets = secretsShown(request, config);
      return { status: 201, body: await executions.view.execution(record, { showSecrets }) };
    },
  });
