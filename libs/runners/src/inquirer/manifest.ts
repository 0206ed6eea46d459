import type { RunnerType } from '../runner-plugin';

export const manifest: RunnerType = {
  name: 'inquirer',
  description: 'Asks people a question, and leaves the execution pending until somebody answers.',
  enabled: true,
  runner_package: 'inquirer_runner',
  runner_module: 'inquirer_runner',
  runner_parameters: {
    schema: {
      description: 'JSON schema of the answer, an object.',
      type: 'object',
      required: true,
      default: {
        title: 'response_data',
        type: 'object',
        properties: {
          continue: { type: 'boolean', description: 'Whether the work should go on.', required: true },
        },
      },
    },
    route: {
      description: 'Where the question is to be asked; rules on the trigger of inquiries go by it.',
      type: 'string',
      default: '',
      required: false,
    },
    roles: {
      description: 'Roles of those who may answer; everybody when empty.',
      type: 'array',
      default: [],
      required: false,
    },
    users: {
      description: 'Names of those who may answer; everybody when empty.',
      type: 'array',
      default: [],
      required: false,
    },
    ttl: {
      description: 'Minutes for which the question waits; 0 for ever.',
      type: 'integer',
      default: 1440,
      required: true,
    },
  },
  output_schema: {},
};
