import { route, type Route, secretsShown, showSecretsParameter } from '@switchyard/http';
import { executionAnswer } from '@switchyard/model/resources';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { actingUser, requestKey } from './create';
import { changeBody, rerunBody } from './execution-body';
import { guardedExecution, refuseAnswer } from './execution-permissions';

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

export const rerunExecutionRoute = (deps: ApiDependencies): Route => {
  const { config, executions, logger } = deps;
  return route({
    method: 'POST',
    path: '/executions/{id}/re_run',
    operation: 'executions.re_run',
    summary: 'Run the action of an execution again, with its parameters and the given ones',
    permission: 'execution_rerun',
    resource: guardedExecution(deps),
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
        role: request.requester.boundRole,
        noMerge: request.query.no_merge,
        ...(key === undefined ? {} : { requestKey: key }),
      });
      logger.audit('Execution re-run requested.', { execution_id: record._id, old, user: request.requester.user });
      const showSecrets = secretsShown(request, config);
      return { status: 201, body: await executions.view.execution(record, { showSecrets }) };
    },
  });
};
