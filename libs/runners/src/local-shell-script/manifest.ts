import type { RunnerType } from '../runner-plugin';
import { contentVersionParameters } from '../content-version/content-version-parameters';
import { shellParameters } from '../shell/shell-parameters';

export const manifest: RunnerType = {
  name: 'local-shell-script',
  description: 'Runs a script of a pack on the machine of the action runner.',
  enabled: true,
  runner_package: 'local-shell-script',
  runner_module: 'local-shell-script',
  runner_parameters: { ...contentVersionParameters, ...shellParameters },
  output_schema: {},
};
