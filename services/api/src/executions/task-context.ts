import { Type } from '@sinclair/typebox';
import { route, type Route, secretsShown, showSecretsParameter } from '@switchyard/http';
import { anyObject } from '@switchyard/model/resources';
import type { ApiDependencies } from '../api-dependencies';
import { findExecution } from './execution-answer';
import { guardedExecution } from './execution-permissions';

const text = Type.String();

const contextSchema = Type.Object(
  {
    task_execution_id: text,
    task_name: text,
    route: Type.Integer(),
    round: Type.Integer(),
    status: Type.Union([text, Type.Null()]),
    before: anyObject,
    after: Type.Array(Type.Object({ to: Type.Array(text), published: anyObject }, { title: 'PassedContext' })),
    omitted: Type.Array(text),
  },
  { title: 'TaskContext' },
);

export const taskContextRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/{id}/tasks/{task}/context',
    operation: 'execution_task_context.get_one',
    summary: 'The variables of a workflow before and after one run of a task, by its id or, for the last run, its name',
    permission: 'execution_view',
    resource: guardedExecution(deps),
    query: {
      variables: { type: 'string', description: 'The names of the variables to show, separated by commas' },
      ...showSecretsParameter,
    },
    response: { status: 200, schema: contextSchema },
    async handle(request) {
      const record = await findExecution(deps, request);
      const { variables } = request.query;
      const body = await deps.executions.workflows.taskContext(record, {
        task: request.params.task,
        names: variables?.split(','),
        showSecrets: secretsShown(request, deps.config),
      });
      return { status: 200, body };
    },
  });
