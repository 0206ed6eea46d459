import { registerRunnerTypes } from '@switchyard/content/registrar/write-content';
import { pluginRunners, runnerRegistry, runnerTypes } from '@switchyard/runners';
import { part } from './assembly';
import { loadPlugins } from './plugins';

/** The runners of this program and of its plug-ins, by name. */
export const runnersOf = part(({ platform: { config, paths } }) =>
  runnerRegistry({ config, paths, added: pluginRunners(loadPlugins(config.plugins.packages, paths.plugins)) }),
);

/** Stores the runner types of this program, which requests for executions need. Several processes may do so at once. */
export const registerRunners = part(async (assembly): Promise<void> => {
  await registerRunnerTypes(assembly.platform.store, runnerTypes(runnersOf(assembly)));
});
