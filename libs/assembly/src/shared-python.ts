import {
  findPacks,
  createSharedEnvironmentInstaller,
  proxyEnvironment,
  type SharedEnvironmentInstaller,
} from '@switchyard/content';
import { createPackConfigs } from '@switchyard/content/configs/pack-configs';
import { packageInstallation, pythonInstallation } from '@switchyard/config';
import { serviceEnvironment } from '@switchyard/runners';
import { part } from './assembly';
import { datastoreOf } from './datastore';

/** The environment with the Python packages that packs expect; absent when `python.shared_environment` is off. */
export const sharedPythonOf = part((assembly): SharedEnvironmentInstaller | undefined => {
  const { config, paths, store, logger } = assembly.platform;
  const { shared } = pythonInstallation(config, paths);
  if (shared === null) return undefined;
  const { python } = config;
  const packConfigs = createPackConfigs(store);
  return createSharedEnvironmentInstaller({
    logger: logger.child({ service: 'shared-python' }),
    // The packs that come with the product need nothing else.
    packs: () => findPacks(paths.packsBasePaths),
    async settings() {
      const { values: proxies } = await packConfigs.of('packs', datastoreOf(assembly).lookupFor({}));
      return {
        ...packageInstallation(config, paths),
        directory: shared.directory,
        requirements: shared.requirements,
        indexUrl: python.shared_index_url,
        wheels: python.shared_wheels ?? (python.shared_index_url === null ? python.wheels : null),
        virtualenvOptions: [],
        environment: { ...serviceEnvironment(assembly.environment), ...proxyEnvironment(proxies) },
      };
    },
  });
});
