import { route, type Route } from '@switchyard/http';
import { executionAnswer } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { changeBody } from './execution-body';
import { guardedExecution, refuseAnswer } from './execution-permissions';
import { secretsShown, showSecretsParameter } from '../secrets-shown';

export const changeExecutionRoute = (deps: ApiDependencies): Route => {
  const { config, executions, logger } = deps;
  return route({
    method: 'PUT',
    path: '/executions/{id}',
    operation: 'executions.put',
    summary: 'Cancel, pause, resume or complete an execution',
    permission: 'execution_stop',
    resource: guardedExecution(deps),
    query: showSecretsParameter,
    body: changeBody,
    response: { status: 200, schema: executionAnswer },
    async handle(request) {
      const { user } = request.requester;
      const asked = request.body;
      await refuseAnswer(deps, request, asked.status);
      const record = await executions.update(request.params.id, asked, user);
      logger.audit('Execution updated.', { execution_id: record._id, asked: asked.status, user });
      const showSecrets = secretsShown(request, config);
      return { status: 200, body: await executions.view.execution(record, { showSecrets }) };
    },
  });
};

/** Or the reason why there was nothing to cancel. */
const canceled = Type.Union([
  executionAnswer,
  Type.Object(
    { faultstring: Type.String({ description: 'Why nothing was canceled: the execution has ended' }) },
    { title: 'NotCanceled' },
  ),
]);

export const cancelExecutionRoute = (deps: ApiDependencies): Route => {
  const { config, executions, logger } = deps;
  return route({
    method: 'DELETE',
    path: '/executions/{id}',
    operation: 'executions.delete',
    summary: 'Cancel an execution',
    permission: 'execution_stop',
    resource: guardedExecution(deps),
    query: showSecretsParameter,
    response: { status: 200, schema: canceled },
    async handle(request) {
      const { user } = request.requester;
      const record = await executions.cancel(request.params.id, user);
      // Clients recognize this response by its text: for them, work that was already done is not an error.
      if (record.status !== 'canceled' && record.status !== 'canceling')
        return { status: 200, body: { faultstring: `Action cannot be canceled. State = ${record.status}.` } };
      logger.audit('Execution canceled.', { execution_id: record._id, user });
      const showSecrets = secretsShown(request, config);
      return { status: 200, body: await executions.view.execution(record, { showSecrets }) };
    },
  });
};
