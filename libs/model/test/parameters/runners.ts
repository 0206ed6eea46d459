import type { ParameterDefinitions } from '../../src';

/** The parameters of the local command runner. */
export const localShell: ParameterDefinitions = {
  cmd: { type: 'string', description: 'The command.' },
  cwd: { type: 'string' },
  env: { type: 'object' },
  kwarg_op: { type: 'string', default: '--' },
  sudo: { type: 'boolean', default: false },
  sudo_password: { type: 'string', secret: true, required: false, default: null },
  timeout: { type: 'integer', default: 60 },
};

export const localRunner = { name: 'local-shell-cmd', runner_parameters: localShell };
export const noopRunner = { name: 'noop', runner_parameters: {} };
