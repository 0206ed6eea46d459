import { Type } from '@sinclair/typebox';
import { route, type Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { findExecution } from './execution-answer';
import { guardedExecution } from './execution-permissions';

const text = Type.String();
const orNull = Type.Union([text, Type.Null()]);

const runSchema = Type.Object(
  {
    task_execution_id: text,
    route: Type.Integer(),
    round: Type.Integer(),
    status: orNull,
    start_timestamp: text,
    end_timestamp: orNull,
  },
  { title: 'TaskRun' },
);

const nodeSchema = Type.Object(
  {
    id: text,
    action: Type.Optional(text),
    join: Type.Optional(Type.Union([Type.Literal('all'), Type.Integer()])),
    with_items: Type.Boolean(),
    status: orNull,
    runs: Type.Array(runSchema),
  },
  { title: 'TaskNode' },
);

const edgeSchema = Type.Object(
  { from: text, to: text, when: Type.Optional(text), taken: Type.Integer() },
  { title: 'TaskEdge' },
);

const graphSchema = Type.Object(
  {
    workflow_execution_id: text,
    execution_id: text,
    status: text,
    nodes: Type.Array(nodeSchema),
    edges: Type.Array(edgeSchema),
  },
  { title: 'WorkflowGraph' },
);

export const graphRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/executions/{id}/graph',
    operation: 'execution_graph.get_one',
    summary: 'The workflow of an execution: its tasks, the transitions between them, and their progress',
    permission: 'execution_view',
    resource: guardedExecution(deps),
    response: { status: 200, schema: graphSchema },
    async handle(request) {
      const record = await findExecution(deps, request);
      return { status: 200, body: await deps.executions.workflows.graph(record) };
    },
  });
