import type { RunnerDeclaration } from './runner-plugin';

/** Runner types whose runs belong to the workflow engines, not to an action runner. */
export const workflowManifests: readonly RunnerDeclaration[] = [
  {
    name: 'orquesta',
    description: 'Runs a workflow, with tasks in sequence, in parallel, in loops and for each item of a list.',
    enabled: true,
    runner_package: 'orquesta',
    runner_module: 'orquesta',
    runner_parameters: {
      notify: {
        type: 'array',
        description: 'Tasks whose end causes the notifications that the workflow declares.',
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
    description: 'Runs actions in sequence, with a next action for success and one for failure.',
    enabled: true,
    runner_package: 'action-chain',
    runner_module: 'action-chain',
    runner_parameters: {
      display_published: {
        type: 'boolean',
        description: 'Include published variables in the result.',
        default: true,
      },
      skip_notify: { type: 'array', description: 'Nodes that send no notification when they end.', default: [] },
    },
    output_key: 'published',
    output_schema: {
      type: 'object',
      properties: { published: { type: 'object' }, tasks: { type: 'array' } },
      additionalProperties: false,
    },
  },
];
