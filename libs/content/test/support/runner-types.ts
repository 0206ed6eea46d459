import type { RunnerSchema } from '../../src';

const shell = {
  cwd: { type: 'string' },
  env: { type: 'object' },
  kwarg_op: { type: 'string', default: '--' },
  sudo: { type: 'boolean', default: false },
  sudo_password: { type: 'string', default: null, secret: true, required: false },
  timeout: { type: 'integer', default: 60 },
};

const runner = (name: string, parameters: RunnerSchema['runner_parameters'] = {}): RunnerSchema => ({
  name,
  description: name,
  enabled: true,
  runner_package: name,
  runner_module: name,
  runner_parameters: parameters,
  output_schema: {},
});

/** The runners of these tests, with the parameters of the built-in ones. */
export const runnerTypes: RunnerSchema[] = [
  runner('noop'),
  runner('local-shell-cmd', { cmd: { type: 'string' }, ...shell }),
  runner('local-shell-script', { ...shell, debug: { type: 'boolean', default: false } }),
  runner('frozen', { seal: { type: 'string', default: 'x', immutable: true } }),
];

/** Runners without parameters, for packs that use runners besides the built-in ones. */
export const namedRunner = runner;
