import type { RunnerType } from '../../src';

const shell = {
  cwd: { type: 'string' },
  env: { type: 'object' },
  kwarg_op: { type: 'string', default: '--' },
  sudo: { type: 'boolean', default: false },
  sudo_password: { type: 'string', default: null, secret: true, required: false },
  timeout: { type: 'integer', default: 60 },
};

const runner = (name: string, parameters: RunnerType['runner_parameters'] = {}): RunnerType => ({
  name,
  description: name,
  enabled: true,
  runner_package: name,
  runner_module: name,
  runner_parameters: parameters,
  output_schema: {},
});

/** The runners of these tests, with the parameters that the product's own have. */
export const runnerTypes: RunnerType[] = [
  runner('noop'),
  runner('local-shell-cmd', { cmd: { type: 'string' }, ...shell }),
  runner('local-shell-script', { ...shell, debug: { type: 'boolean', default: false } }),
  runner('frozen', { seal: { type: 'string', default: 'x', immutable: true } }),
];

/** Runners that are only named: for packs whose actions need more than there is. */
export const namedRunner = runner;
