import { ANY_USER, route, type Route } from '@switchyard/http';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { grantedReferences, grantedTo } from '../permissions/visible-records';

const finding = Type.Object(
  {
    type: Type.String({ description: 'content, context, expression, semantic or syntax' }),
    message: Type.String(),
    spec_path: Type.Union([Type.String(), Type.Null()], { description: 'Where in the definition' }),
    line: Type.Optional(Type.Integer()),
    column: Type.Optional(Type.Integer()),
    schema_path: Type.String(),
    expression: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    language: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  { title: 'WorkflowFinding' },
);

type Deps = Pick<ApiDependencies, 'config' | 'executions' | 'identities'>;

/** Authors of workflows may inspect them without further permissions. Actions that they may neither view nor execute are not checked. */
export const workflowInspectionRoutes = (deps: Deps): Route[] => [
  route({
    method: 'POST',
    path: '/workflows/inspect',
    operation: 'workflow_inspection.post',
    readsOnly: true,
    summary: 'Check a workflow definition, sent as YAML: all problems, or an empty list',
    permission: ANY_USER,
    body: 'text',
    response: { status: 200, schema: Type.Array(finding) },
    async handle({ body, requester }) {
      const granted = await Promise.all(
        ['action_view', 'action_execute'].map((permission) => grantedTo(deps, requester, permission)),
      );
      const tests = granted.map((each) => grantedReferences(each, 'action'));
      const findings = await deps.executions.workflows.inspect(body, (ref) =>
        tests.some((isGranted) => isGranted(ref)),
      );
      return { status: 200, body: findings };
    },
  }),
];
