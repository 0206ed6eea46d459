import { ANY_USER, route, type Route } from '@switchyard/http';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';

const body = Type.Object(
  {
    definition: Type.String({ description: 'The definition of the workflow as YAML' }),
    rehearsal: Type.Union([Type.String(), Type.Object({}, { additionalProperties: true })], {
      description: 'The results of actions and the expected outcome, as YAML or as an object',
    }),
  },
  { title: 'RehearsalBody' },
);

const anyObject = Type.Object({}, { additionalProperties: true });

const rehearsedTask = Type.Object(
  {
    task: Type.String({ description: 'The name of the task, or of an engine command' }),
    route: Type.Integer(),
    status: Type.Union([Type.String(), Type.Null()]),
    input: Type.Optional(anyObject),
    items: Type.Optional(Type.Integer({ description: 'How many items the task had' })),
  },
  { title: 'RehearsedTask' },
);

const outcome = Type.Object(
  {
    status: Type.String(),
    tasks: Type.Array(rehearsedTask, { description: 'In the order in which they started' }),
    task_sequence: Type.Array(Type.String(), { description: 'The same as `expected_task_sequence` names them' }),
    routes: Type.Array(Type.Array(Type.String())),
    term_tasks: Type.Array(Type.String()),
    output: Type.Union([anyObject, Type.Null()]),
    errors: Type.Array(anyObject),
  },
  { title: 'RehearsalOutcome' },
);

const difference = Type.Object(
  {
    what: Type.String({ description: 'What differs, such as output' }),
    expected: Type.Optional(Type.Unknown({ description: 'Any value' })),
    actual: Type.Optional(Type.Unknown({ description: 'Any value' })),
  },
  { title: 'RehearsalDifference' },
);

const report = Type.Object(
  {
    passed: Type.Boolean(),
    differences: Type.Array(difference, { description: 'From the expected outcome; empty if the rehearsal passed' }),
    outcome: Type.Union([outcome, Type.Null()], {
      description: 'Null for a definition with findings: it does not run',
    }),
  },
  { title: 'WorkflowRehearsal' },
);

type Deps = Pick<ApiDependencies, 'executions'>;

/** Reads only what is sent and runs no action, so it needs no permission. */
export const workflowRehearsalRoute = ({ executions }: Deps): Route =>
  route({
    method: 'POST',
    path: '/workflows/rehearse',
    operation: 'workflow_rehearsal.post',
    readsOnly: true,
    summary: 'Run a workflow with given results of its actions, and compare the outcome with the expected one',
    permission: ANY_USER,
    body,
    response: { status: 200, schema: report },
    handle: async ({ body: { definition, rehearsal }, requester }) => ({
      status: 200,
      body: await executions.workflows.rehearse({ definition, rehearsal }, requester.user),
    }),
  });
