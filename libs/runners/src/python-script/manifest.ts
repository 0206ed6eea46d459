import { contentVersionParameters } from '../content-version/content-version-parameters';
import type { RunnerType } from '../runner-plugin';

export const manifest: RunnerType = {
  name: 'python-script',
  description: 'Runs a Python class of a pack on the machine of the action runner.',
  enabled: true,
  runner_package: 'python-script',
  runner_module: 'python-script',
  runner_parameters: {
    ...contentVersionParameters,
    env: { type: 'object', description: 'Environment variables for the action, by name.' },
    timeout: { type: 'integer', description: 'Seconds after which the action is ended.', default: 600 },
    log_level: {
      type: 'string',
      description: 'The level from which the logger of the action writes.',
      default: 'DEBUG',
      enum: ['AUDIT', 'CRITICAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG'],
    },
  },
  output_key: 'result',
  output_schema: {
    type: 'object',
    properties: {
      result: {
        anyOf: ['object', 'string', 'integer', 'number', 'boolean', 'array', 'null'].map((type) => ({ type })),
      },
      stderr: { type: 'string', required: true },
      stdout: { type: 'string', required: true },
      exit_code: { type: 'integer', required: true },
    },
    additionalProperties: false,
  },
};
