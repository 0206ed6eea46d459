import { mkdir, mkdtemp, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve, sep } from 'node:path';
import { createAssembly } from '@switchyard/assembly';
import { packRootsOf } from '@switchyard/assembly/packs';
import { runnersOf } from '@switchyard/assembly/runners';
import { triggersOf } from '@switchyard/assembly/triggers';
import { isPlainObject } from '@switchyard/base';
import { loadConfig, paths } from '@switchyard/config';
import {
  checkConfigFile,
  readYaml,
  registerContent,
  type ContentFailure,
  type RegistrationReport,
} from '@switchyard/content';
import { openPlatform } from '@switchyard/host';
import { runnerTypes } from '@switchyard/runners';
import { createLogger } from '@switchyard/telemetry';
import { CommandError } from '../exit-codes';
import { environmentValue, type Terminal } from '../terminal';

type Problems = Pick<RegistrationReport, 'failures' | 'warnings'>;

/**
 * Checks the pack in a directory as a registration would, together with the installed packs, whose trigger types its rules may use.
 * Everything is stored in a temporary directory.
 * @throws CommandError if there is no pack in the directory
 */
export async function checkDirectory(directory: string, { env }: Terminal): Promise<Problems> {
  const pack = await realpath(resolve(directory)).catch(() => resolve(directory));
  const ref = await refOf(pack, directory);
  const place = await mkdtemp(join(tmpdir(), 'svc-check-'));
  try {
    // A checkout such as stackstorm-web often has another name than its pack.
    await mkdir(join(place, 'checked'));
    await symlink(pack, join(place, 'checked', ref));
    const { failures, warnings } = await checkIn(place, env);
    const shown = (problems: ContentFailure[]) =>
      problems
        .filter((problem) => problem.pack === ref)
        .map((problem) => ({ ...problem, file: problem.file.replace(join(place, 'checked', ref) + sep, '') }));
    return { failures: shown(failures), warnings: shown(warnings) };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/**
 * Checks a file with the configuration of a pack against the schema in another file.
 * @throws CommandError if there is no such file
 */
export async function checkPackConfig(config: string, schema: string): Promise<Problems> {
  for (const path of [config, schema])
    if (!(await stat(path).catch(() => undefined))) throw new CommandError(`The path "${path}" does not exist.`);
  return { failures: checkConfigFile(resolve(config), resolve(schema)), warnings: [] };
}

/**
 * The ref that `pack.yaml` states, or its name, as a registration finds it; else the name of the directory.
 * @param given the directory as the user named it
 */
async function refOf(pack: string, given: string): Promise<string> {
  const found = await stat(pack).catch(() => undefined);
  if (!found) throw new CommandError(`The path "${given}" does not exist.`);
  if (!found.isDirectory()) throw new CommandError(`The path "${given}" is not a directory.`);
  const text = await readFile(join(pack, 'pack.yaml'), 'utf8').catch(() => undefined);
  if (text === undefined) throw new CommandError(`There is no pack.yaml in "${given}".`);
  const { value } = readYaml(text);
  const { ref, name } = isPlainObject(value) ? value : {};
  const stated = [ref, name].find((each): each is string => typeof each === 'string' && /^\w[\w.-]*$/.test(each));
  return stated ?? basename(pack);
}

async function checkIn(place: string, environment: NodeJS.ProcessEnv): Promise<RegistrationReport> {
  const file = environmentValue(environment, 'CONFIG_PATH');
  const sources = { environment, ...(file === undefined ? {} : { file }) };
  const installed = paths(loadConfig(sources).config).packsBasePaths;
  const { config } = loadConfig({
    ...sources,
    overrides: {
      system: { base_path: join(place, 'data') },
      content: { system_packs_base_path: join(place, 'checked'), packs_base_paths: installed.join(':') },
      storage: { driver: 'embedded' },
      messaging: { driver: 'embedded' },
    },
  });
  const logger = createLogger({ service: 'check', outputs: [], mask: true, maskNames: [] });
  const platform = await openPlatform(config, logger);
  try {
    const assembly = createAssembly(platform, environment);
    const triggers = triggersOf(assembly);
    await triggers.registerBuiltIn();
    return await registerContent({
      store: platform.store,
      triggers,
      roots: packRootsOf(assembly),
      runnerTypes: runnerTypes(runnersOf(assembly)),
      maxPatternLength: config.limits.max_pattern_length,
      failOnFailure: false,
      checkOnly: true,
      logger,
    });
  } finally {
    await platform.close();
    await logger.close();
  }
}
