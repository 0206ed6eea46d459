import { join } from 'node:path';
import { registerContent, registerRunnerTypes } from '@switchyard/content';
import type { Platform } from '@switchyard/host';
import { runnerTypes } from '@switchyard/runners';
import { preparePacks } from './shipped-packs';
import type { Parts } from './service-factories';

const manifests = ({ runners }: Parts) => runnerTypes(runners);

/** Registers the runners of this program. Several processes may do so at once. */
export async function registerRunners(parts: Parts): Promise<void> {
  await registerRunnerTypes(parts.platform.store, manifests(parts));
}

/** Registers the runners and every pack: those of the users, and those that come with the product. */
export async function registerPacks(parts: Parts): Promise<void> {
  const { store, bus, paths, logger, config }: Platform = parts.platform;
  await preparePacks(paths);
  await parts.triggers.registerBuiltIn();
  await registerContent({
    store,
    triggers: parts.triggers,
    publisher: bus.publisher(),
    roots: parts.roots,
    runnerTypes: manifests(parts),
    maxPatternLength: config.limits.max_pattern_length,
    // A bad pack of a user must not keep the system from starting.
    failOnFailure: false,
    overridesDirectory: join(paths.base, 'overrides'),
    configsDirectory: paths.configs,
    logger,
  });
}
