import { join } from 'node:path';
import { registerContent } from '@switchyard/content';
import { runnerTypes } from '@switchyard/runners';
import type { Assembly } from './assembly';
import { packRootsOf, preparePacks } from './packs';
import { runnersOf } from './runners';
import { sharedPythonOf } from './shared-python';
import { triggersOf } from './triggers';

/** Registers the runners and every pack: those of the users, and those that come with the product. */
export async function registerPacks(assembly: Assembly): Promise<void> {
  const { store, bus, paths, logger, config } = assembly.platform;
  const triggers = triggersOf(assembly);
  await preparePacks(paths);
  await triggers.registerBuiltIn();
  await registerContent({
    store,
    triggers,
    publisher: bus.publisher(),
    roots: packRootsOf(assembly),
    runnerTypes: runnerTypes(runnersOf(assembly)),
    maxPatternLength: config.limits.max_pattern_length,
    // A bad pack of a user must not keep the system from starting.
    failOnFailure: false,
    overridesDirectory: join(paths.base, 'overrides'),
    configsDirectory: paths.configs,
    logger,
  });
  sharedPythonOf(assembly)?.request();
}
