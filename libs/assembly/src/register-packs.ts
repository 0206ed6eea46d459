import { join } from 'node:path';
import { messageOf } from '@switchyard/base';
import { findPackChanges, registerContent, type PackChanges } from '@switchyard/content';
import { runnerTypes } from '@switchyard/runners';
import { part, type Assembly } from './assembly';
import { packRootsOf, preparePacks } from './packs';
import { runnersOf } from './runners';
import { sharedPythonOf } from './shared-python';
import { triggersOf } from './triggers';

export type { PackChanges };

/** Registers the packs of the users and of the product when a process starts. */
export interface StartRegistration {
  /**
   * Registers the runners, and the packs whose files look different from when they were registered. At the first start these
   * are all packs.
   */
  registerChanged(): Promise<PackChanges>;
  /** Also reads the other packs, in the background. */
  checkUnchanged(): void;
  /** Stops the work in the background. */
  stop(): Promise<void>;
}

/** The self-check runs an action of this pack, so its records are compared at every start, in case one was lost. */
const NEEDED = 'core';

/** Few packs at a time, because a pack must not be removed while it is being registered. */
const PACKS_AT_ONCE = 10;

export const startRegistrationOf = part((assembly: Assembly): StartRegistration => {
  const { store, bus, paths, logger, config } = assembly.platform;
  const triggers = triggersOf(assembly);
  const stopped = new AbortController();
  let changes: PackChanges = { changed: [], unchanged: [] };
  let checking: Promise<void> | undefined;

  const places = {
    store,
    roots: packRootsOf(assembly),
    runnerTypes: runnerTypes(runnersOf(assembly)),
    maxPatternLength: config.limits.max_pattern_length,
    overridesDirectory: join(paths.base, 'overrides'),
    configsDirectory: paths.configs,
  };
  const register = (packs: readonly string[]) =>
    registerContent({
      ...places,
      triggers,
      publisher: bus.publisher(),
      packs,
      // An invalid pack of a user must not keep the system from starting.
      failOnFailure: false,
      logger,
      signal: stopped.signal,
    });
  const checkAll = async (packs: readonly string[]) => {
    for (let first = 0; first < packs.length && !stopped.signal.aborted; first += PACKS_AT_ONCE) {
      const some = packs.slice(first, first + PACKS_AT_ONCE);
      await register(some).catch((error: unknown) => {
        if (!stopped.signal.aborted)
          logger.warn('Packs could not be checked.', { packs: some, error: messageOf(error) });
      });
    }
  };
  return {
    async registerChanged() {
      await preparePacks(paths);
      await triggers.registerBuiltIn();
      changes = await findPackChanges(places);
      await register([...new Set([...changes.changed, ...changes.unchanged.filter((pack) => pack === NEEDED)])]);
      sharedPythonOf(assembly)?.request();
      return changes;
    },
    checkUnchanged() {
      checking ??= checkAll(changes.unchanged);
    },
    async stop() {
      stopped.abort();
      await checking;
    },
  };
});
