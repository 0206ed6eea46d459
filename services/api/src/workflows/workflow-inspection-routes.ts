import { ANY_USER, route, type Route } from '@switchyard/http';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';

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

/** Authors of workflows may inspect them without further permissions: the findings reveal only whether actions exist. */
export const workflowInspectionRoutes = ({ executions }: Pick<ApiDependencies, 'executions'>): Route[] => [
  route({
    method: 'POST',
    path: '/workflows/inspect',
    operation: 'workflow_inspection.post',
    readsOnly: true,
    summary: 'Check a workflow definition, sent as YAML: all problems, or an empty list',
    permission: ANY_USER,
    body: 'text',
    response: { status: 200, schema: Type.Array(finding) },
    handle: async ({ body }) => ({ status: 200, body: await executions.workflows.inspect(body) }),
  }),
];
