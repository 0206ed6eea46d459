import type { RunnerType } from '../runner-plugin';
import { shellParameters } from '../shell/shell-parameters';

export const manifest: RunnerType = {
  name: 'local-shell-cmd',
  description: 'Runs a shell command on the machine of the action runner.',
  enabled: true,
  runner_package: 'local-shell-cmd',
  runner_module: 'local-shell-cmd',
  runner_parameters: { cmd: { type: 'string', description: 'The command line.' }, ...shellParameters },
  output_schema: {},
};
