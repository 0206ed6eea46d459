import type { RunnerType } from '../runner-plugin';

export const manifest: RunnerType = {
  name: 'announcement',
  description: 'Tells something to everybody who listens to the stream.',
  enabled: true,
  runner_package: 'announcement',
  runner_module: 'announcement',
  runner_parameters: {
    experimental: {
      type: 'boolean',
      description: 'Has to be true: whoever uses this runner knows that it is experimental.',
      required: true,
      default: false,
    },
    route: {
      type: 'string',
      description: 'What the announcement is about: listeners choose by it.',
      minLength: 1,
      maxLength: 255,
      default: 'general',
    },
  },
  output_schema: {},
};
