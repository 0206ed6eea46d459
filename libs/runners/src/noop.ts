import type { RunnerPlugin, RunnerDeclaration } from './runner-plugin';

const manifest: RunnerDeclaration = {
  name: 'noop',
  description: 'Does nothing and succeeds. Useful in tests and as a placeholder in workflows.',
  enabled: true,
  runner_package: 'noop',
  runner_module: 'noop',
  runner_parameters: {},
  output_schema: {},
};

/** Succeeds without doing anything. */
export const noop: RunnerPlugin = {
  manifest,
  startsProcess: false,
  run: () => ({
    result: Promise.resolve({
      status: 'succeeded',
      result: { failed: false, succeeded: true, return_code: 0 },
    }),
    cancel: () => undefined,
  }),
};
