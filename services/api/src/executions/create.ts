import { fault, type DataLimits } from '@switchyard/base';
import { dataLimits } from '@switchyard/config';
import type { ExecutionRequest } from '@switchyard/executions';
import { route, type Route, type RouteRequest } from '@switchyard/http';
import { notifyWithRoutes } from '@switchyard/model';
import { executionAnswer } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { callerContext } from './caller-context';
import { actingUser, executionBody, type ExecutionBody } from './execution-body';
import { requestKey } from './request-key';
import { secretsShown, showSecretsParameter } from '../secrets-shown';

export const createExecutionRoute = ({ config, executions, logger }: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/executions',
    operation: 'executions.create',
    summary: 'Run an action',
    permission: 'action_execute',
    query: showSecretsParameter,
    body: executionBody,
    response: { status: 201, schema: executionAnswer },
    async handle(request) {
      const asked = executionRequest(request, dataLimits(config));
      const record = await executions.request(asked);
      if (record.action_ref !== asked.action) throw fault('execution.request-key-taken', { ref: record.action_ref });
      logger.audit('Execution requested.', {
        execution_id: record._id,
        action: record.action_ref,
        user: asked.user,
        requester: request.requester.user,
      });
      const showSecrets = secretsShown(request, config);
      return { status: 201, body: await executions.view.execution(record, { showSecrets }) };
    },
  });

function executionRequest(
  request: Pick<RouteRequest<unknown, unknown, ExecutionBody>, 'body' | 'header' | 'requester'>,
  limits: DataLimits,
): ExecutionRequest {
  const { action, user, context, notify, parameters, callback, delay, priority, pool, idempotent, result } =
    request.body;
  const key = requestKey(request);
  return {
    action,
    user: actingUser(request.requester, user),
    context: callerContext(context, request.header('svc-context'), limits),
    ...given({ parameters, callback, delay, priority, pool, idempotent, result, requestKey: key }),
    ...(notify ? { notify: notifyWithRoutes(notify) } : {}),
  };
}

/** Drops members without a value. */
const given = <T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
