import { messageOf } from '@switchyard/base';
import {
  createPackConfigs,
  findPacks,
  proxyEnvironment,
  requirePack,
  setUpVirtualenv,
  type PackPlace,
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

/**
 * Creates the virtual environments of packs one after the other, when the request asks for it. Output of the programs
 * goes to the log.
 * @returns the number of packs that have one, for the response; nothing when the request does not ask for it
 * @throws Fault `content.virtualenv` unless failures are to be ignored; `content.pack-not-on-disk`
 */
export async function setUpVirtualenvs(
  deps: ApiDependencies,
  { packs, fail_on_failure: failOnFailure = true, setup_virtualenvs, recreate_virtualenvs, proxies }: VirtualenvRequest,
): Promise<{ virtualenvs?: number }> {
  if (setup_virtualenvs !== true && recreate_virtualenvs !== true) return {};
  const settings = await settingsOf(deps, proxies);
  let virtualenvs = 0;
  for (const place of await placesOf(deps, packs)) {
    try {
      const recreate = recreate_virtualenvs === true;
      if (await setUp(deps, settings, place, recreate)) virtualenvs += 1;
    } catch (error) {
      if (failOnFailure) throw error;
      deps.logger.error(messageOf(error), { pack: place.name });
    }
  }
  return { virtualenvs };
}

async function setUp(
  { logger }: ApiDependencies,
  settings: VirtualenvSettings,
  place: PackPlace,
  recreate: boolean,
): Promise<boolean> {
  const onOutput = (line: string) => logger.info(line.trimEnd(), { pack: place.name });
  const outcome = await setUpVirtualenv(place, settings, { recreate, onOutput });
  logger.info('Virtual environment of a pack is ready.', { pack: place.name, outcome });
  return outcome !== 'not needed';
}

const placesOf = ({ packRoots }: ApiDependencies, packs: readonly string[] | undefined): Promise<PackPlace[]> =>
  packs ? Promise.all([...new Set(packs)].map((name) => requirePack(packRoots, name))) : findPacks(packRoots);

/** Proxies come from the request, the configuration of the pack `packs`, or the environment; the first one wins. */
async function settingsOf(
  { config, paths, store, datastore, environment }: ApiDependencies,
  proxies: VirtualenvRequest['proxies'],
): Promise<VirtualenvSettings> {
  const { actionrunner } = config;
  const { values: configured } = await createPackConfigs(store).of('packs', datastore.lookupFor({}));
  return {
    directory: paths.virtualenvs,
    python: actionrunner.python_binary,
    virtualenv: actionrunner.virtualenv_binary,
    virtualenvOptions: actionrunner.virtualenv_opts,
    pipOptions: actionrunner.pip_opts,
    environment: { ...serviceEnvironment(environment ?? {}), ...proxyEnvironment({ ...configured, ...proxies }) },
  };
}
