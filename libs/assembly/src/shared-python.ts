import { findPacks, keepSharedEnvironment, proxyEnvironment, type SharedEnvironmentKeeper } from '@switchyard/content';
import { createPackConfigs } from '@switchyard/content/configs/pack-configs';
import { pythonInstallation } from '@switchyard/config';
import { serviceEnvironment } from '@switchyard/runners';
import { part } from './assembly';
import { datastoreOf } from './datastore';

/** The Python packages that packs expect; absent when `python.shared_environment` is off. */
export const sharedPythonOf = part((assembly): SharedEnvironmentKeeper | undefined => {
  const { config, paths, store, logger } = assembly.platform;
  const { shared } = pythonInstallation(config, paths);
  if (shared === null) return undefined;
  const { actionrunner, python } = config;
  const packConfigs = createPackConfigs(store);
  return keepSharedEnvironment({
    logger: logger.child({ service: 'shared-python' }),
    // The packs that come with the product need nothing beside it.
    packs: () => findPacks(paths.packsBasePaths),
    async settings() {
      const { values: proxies } = await packConfigs.of('packs', datastoreOf(assembly).lookupFor({}));
      return {
        directory: shared.directory,
        requirements: shared.requirements,
        indexUrl: python.shared_index_url,
        wheels: python.shared_wheels,
        python: actionrunner.python_binary,
        virtualenv: actionrunner.virtualenv_binary,
        virtualenvOptions: [],
        pipOptions: actionrunner.pip_opts,
        environment: { ...serviceEnvironment(assembly.environment), ...proxyEnvironment(proxies) },
      };
    },
  });
});
