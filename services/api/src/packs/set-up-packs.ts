import { messageOf } from '@switchyard/base';
import { packageInstallation } from '@switchyard/config';
import {
  createPackConfigs,
  findPacks,
  proxyEnvironment,
  requirePack,
  setUpVirtualenv,
  type PackPlace,
  type SetUpOutcome,
  type VirtualenvSettings,
} from '@switchyard/content';
import { serviceEnvironment } from '@switchyard/runners';
import type { ApiDependencies } from '../api-dependencies';

/** The options of a registration for virtual environments. */
export interface VirtualenvRequest {
  readonly packs?: readonly string[];
  readonly fail_on_failure?: boolean;
  readonly setup_virtualenvs?: boolean;
  readonly recreate_virtualenvs?: boolean;
  readonly proxies?: Readonly<Record<string, string>>;
}

/** Receives progress during the work. */
export interface SetUpFollower {
  /** Receives the steps and the output of the programs, in lines without newlines. */
  tell(line: string): void;
  /** Stops the programs. */
  readonly abort?: AbortSignal;
}

/**
 * Creates the virtual environments of packs one after the other, when the request asks for it. Output of the programs
 * goes to the log, and to the follower, if any.
 * @returns the number of packs that have one, for the response; nothing when the request does not ask for it
 * @throws Fault `content.virtualenv` unless failures are to be ignored; `content.pack-not-on-disk`
 */
export async function setUpVirtualenvs(
  deps: ApiDependencies,
  { packs, fail_on_failure: failOnFailure = true, setup_virtualenvs, recreate_virtualenvs, proxies }: VirtualenvRequest,
  follower: SetUpFollower = { tell: () => undefined },
): Promise<{ virtualenvs?: number }> {
  if (setup_virtualenvs !== true && recreate_virtualenvs !== true) return {};
  const { abort } = follower;
  const settings = { ...(await settingsOf(deps, proxies)), ...(abort ? { abort } : {}) };
  let virtualenvs = 0;
  for (const place of await placesOf(deps, packs)) {
    try {
      const recreate = recreate_virtualenvs === true;
      if (await setUp(deps, settings, place, recreate, follower)) virtualenvs += 1;
    } catch (error) {
      if (failOnFailure) throw error;
      deps.logger.error(messageOf(error), { pack: place.name });
      follower.tell(messageOf(error));
    }
  }
  return { virtualenvs };
}

async function setUp(
  { logger }: ApiDependencies,
  settings: VirtualenvSettings,
  place: PackPlace,
  recreate: boolean,
  { tell }: SetUpFollower,
): Promise<boolean> {
  const onOutput = (line: string) => {
    logger.info(line.trimEnd(), { pack: place.name });
    tell(line.trimEnd());
  };
  const outcome = await setUpVirtualenv(place, settings, { recreate, onOutput });
  logger.info('Virtual environment of a pack is ready.', { pack: place.name, outcome });
  tell(`${place.name}: ${OUTCOMES[outcome]}`);
  return outcome !== 'not needed';
}

const OUTCOMES: Readonly<Record<SetUpOutcome, string>> = {
  made: 'the virtual environment is ready',
  'up to date': 'the virtual environment is up to date',
  'not needed': 'needs no virtual environment',
};

const placesOf = ({ packRoots }: ApiDependencies, packs: readonly string[] | undefined): Promise<PackPlace[]> =>
  packs ? Promise.all([...new Set(packs)].map((name) => requirePack(packRoots, name))) : findPacks(packRoots);

/** Proxies come from the request, the configuration of the pack `packs`, or the environment; the first one wins. */
async function settingsOf(
  { config, paths, store, datastore, environment }: ApiDependencies,
  proxies: VirtualenvRequest['proxies'],
): Promise<VirtualenvSettings> {
  const { values: configured } = await createPackConfigs(store).of('packs', datastore.lookupFor({}));
  return {
    ...packageInstallation(config, paths),
    directory: paths.virtualenvs,
    environment: { ...serviceEnvironment(environment ?? {}), ...proxyEnvironment({ ...configured, ...proxies }) },
  };
}
