import type { RunnerDeclaration } from './runner-plugin';

/** Runner types whose runs belong to the workflow engines, not to an action runner. */
export const workflowManifests: readonly RunnerDeclaration[] = [
  {
    name: 'orquesta',
    description: 'Runs a workflow: tasks that lead to others, side by side, in loops, for each item of a list.',
    enabled: true,
    runner_package: 'orquesta',
    runner_module: 'orquesta',
    runner_parameters: {
      notify: {
        type: 'array',
        description: 'Tasks whose end is told as the workflow says about its own.',
        uniqueItems: true,
        items: { type: 'string', minLength: 1, pattern: '^\\w+$' },
        default: [],
      },
    },
    output_key: 'output',
    output_schema: {
      type: 'object',
      properties: {
        errors: { anyOf: [{ type: 'object' }, { type: 'array' }] },
        output: {
          anyOf: ['object', 'string', 'integer', 'number', 'boolean', 'array', 'null'].map((type) => ({ type })),
        },
      },
      additionalProperties: false,
    },
  },
  {
    name: 'action-chain',
    description: 'Runs actions one after the other, with a way on for success and one for failure.',
    enabled: true,
    runner_package: 'action-chain',
    runner_module: 'action-chain',
    runner_parameters: {
      display_published: {
        type: 'boolean',
        description: 'Show in the result what the nodes have published.',
        default: true,
      },
      skip_notify: { type: 'array', description: 'Nodes whose end is not told.', default: [] },
    },
    output_key: 'published',
    output_schema: {
      type: 'object',
      properties: { published: { type: 'object' }, tasks: { type: 'array' } },
      additionalProperties: false,
    },
  },
];
