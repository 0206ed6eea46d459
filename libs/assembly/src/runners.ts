import type { Config, Paths } from '@switchyard/config';
import { registerRunnerTypes } from '@switchyard/content/registrar/write-content';
import { pluginRunners, runnerRegistry, runnerTypes } from '@switchyard/runners';
import { part } from './assembly';
import { loadPlugins } from './plugins';

/** The runners of this program and of its plug-ins, by name. @throws Fault `config.plugin` */
export const createRunners = (config: Config, where: Paths) =>
  runnerRegistry({ config, paths: where, added: pluginRunners(loadPlugins(config.plugins.packages, where.plugins)) });

export const runnersOf = part(({ platform: { config, paths } }) => createRunners(config, paths));

/** Stores the runner types of this program, which requests for executions need. Several processes may do so at once. */
export const registerRunners = part(async (assembly): Promise<void> => {
  await registerRunnerTypes(assembly.platform.store, runnerTypes(runnersOf(assembly)));
});
