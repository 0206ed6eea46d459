import { contentVersionParameters } from '../content-version/content-version-parameters';
import type { RunnerType } from '../runner-plugin';
import { LOG_LEVELS } from './protocol';

export const manifest: RunnerType = {
  name: 'node-script',
  description: 'Runs an action of a pack that is written in JavaScript or TypeScript.',
  enabled: true,
  runner_package: 'node-script',
  runner_module: 'node-script',
  runner_parameters: {
    ...contentVersionParameters,
    env: { type: 'object', description: 'Environment variables for the action, by name.' },
    log_level: {
      type: 'string',
      description: 'From which level on the messages of the action are written.',
      enum: [...LOG_LEVELS],
      default: 'DEBUG',
    },
    timeout: { type: 'integer', description: 'Seconds after which the action is ended.', default: 600 },
  },
  output_key: 'result',
  output_schema: {
    type: 'object',
    properties: {
      result: {
        anyOf: [
          { type: 'object' },
          { type: 'string' },
          { type: 'integer' },
          { type: 'number' },
          { type: 'boolean' },
          { type: 'array' },
          { type: 'null' },
        ],
      },
      stdout: { type: 'string', required: true },
      stderr: { type: 'string', required: true },
      exit_code: { type: 'integer', required: true },
    },
    additionalProperties: false,
  },
};
