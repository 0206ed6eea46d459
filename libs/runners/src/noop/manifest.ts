import type { RunnerType } from '../runner-plugin';

export const manifest: RunnerType = {
  name: 'noop',
  description: 'Does nothing and succeeds. Useful in tests and as a placeholder in workflows.',
  enabled: true,
  runner_package: 'noop',
  runner_module: 'noop',
  runner_parameters: {},
  output_schema: {},
};
