import type { StatusUpdate } from '@switchyard/executions';
import { route, type Route } from '@switchyard/http';
import type { ApiDependencies } from '../../api-dependencies';
import { changeBody } from '../../executions/execution-body';
import { secretsShown, showSecretsParameter } from '../../secrets-shown';
import { executionSchema } from './schema';

export const changeExecutionRoute = ({ config, executions, logger }: ApiDependencies): Route =>
  route({
    method: 'PUT',
    path: '/executions/{id}',
    operation: 'executions.put',
    summary: 'Cancel, pause, resume or complete an execution',
    permission: 'execution_stop',
    query: showSecretsParameter,
    body: changeBody,
    response: { status: 200, schema: executionSchema },
    async handle(request) {
      const { user } = request.requester;
      const asked = request.body as StatusUpdate;
      const record = await executions.update(request.params['id'] ?? '', asked, user);
      logger.audit('Execution updated.', { execution_id: record._id, asked: asked.status, user });
      const showSecrets = secretsShown(request, config);
      return { status: 200, body: await executions.view.execution(record, { showSecrets }) };
    },
  });

export const cancelExecutionRoute = ({ config, executions, logger }: ApiDependencies): Route =>
  route({
    method: 'DELETE',
    path: '/executions/{id}',
    operation: 'executions.delete',
    summary: 'Cancel an execution',
    permission: 'execution_stop',
    query: showSecretsParameter,
    async handle(request) {
      const { user } = request.requester;
      const record = await executions.cancel(request.params['id'] ?? '', user);
      // Clients know this answer by its text: it is no error to them that the work was done already.
      if (record.status !== 'canceled' && record.status !== 'canceling')
        return { status: 200, body: { faultstring: `Action cannot be canceled. State = ${record.status}.` } };
      logger.audit('Execution canceled.', { execution_id: record._id, user });
      const showSecrets = secretsShown(request, config);
      return { status: 200, body: await executions.view.execution(record, { showSecrets }) };
    },
  });
