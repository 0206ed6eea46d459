import { ANY_USER, route, type Route } from '@switchyard/http';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';

const task = Type.Object(
  {
    id: Type.String({ description: 'The name of the task, or of an engine command' }),
    action: Type.Optional(Type.String()),
    join: Type.Optional(Type.Union([Type.Literal('all'), Type.Number()])),
    with_items: Type.Boolean(),
  },
  { title: 'TaskOutline' },
);

const transition = Type.Object(
  { from: Type.String(), to: Type.String(), when: Type.Optional(Type.String()) },
  { title: 'TransitionOutline' },
);

const outline = Type.Object(
  { nodes: Type.Array(task), edges: Type.Array(transition) },
  { title: 'WorkflowOutline', description: 'The members of `WorkflowGraph` that a definition has before it runs' },
);

type Deps = Pick<ApiDependencies, 'executions'>;

/** Reads only what is sent, so it needs no permission. */
export const workflowOutlineRoute = ({ executions }: Deps): Route =>
  route({
    method: 'POST',
    path: '/workflows/graph',
    operation: 'workflow_graph.post',
    readsOnly: true,
    summary:
      'The tasks of a workflow definition, sent as YAML, and the transitions between them; invalid parts are left out',
    permission: ANY_USER,
    body: 'text',
    response: { status: 200, schema: outline },
    handle: async ({ body }) => ({ status: 200, body: await executions.workflows.outline(body) }),
  });
