import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fault } from '@switchyard/base';
import { SYSTEM_PACKS, type SensorTypeRecord } from '@switchyard/model';
import { NODE_RUNNER, SENSOR_PYTHON_MODULES, PYTHON_RUNNER } from '../programs';

/** How a sensor process is started. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  /** Environment variables in addition to the inherited ones. */
  readonly environment: Readonly<Record<string, string>>;
  /** The file with the sensor. */
  readonly file: string;
}

export interface LaunchSettings {
  /** The directory of the packs' virtual environments. */
  readonly virtualenvs: string;
  /** Python for packs without a virtual environment. */
  readonly python: string;
  /** Whether packs may import from their directory `lib`. */
  readonly commonLibs: boolean;
  /** The environment that sensors inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * @throws Fault `sensor.no-file`, `sensor.no-virtualenv`
 */
export function planLaunch(sensor: SensorTypeRecord, settings: LaunchSettings): Launch {
  const file = programFile(fileURLToPath(sensor.artifact_uri));
  if (!existsSync(file)) throw fault('sensor.no-file', { path: file });
  const about = facts(sensor, file);
  if (extname(file) !== '.py')
    return { program: process.execPath, args: [NODE_RUNNER, ...about], environment: {}, file };
  const packDirectory = packDirectoryOf(sensor);
  return {
    program: pythonOf(sensor.pack, packDirectory, settings),
    args: ['-u', PYTHON_RUNNER, ...about],
    environment: { PYTHONPATH: pythonPath(packDirectory, settings) },
    file,
  };
}

/** A sensor in TypeScript runs as the compiled file beside it. */
function programFile(path: string): string {
  if (extname(path) !== '.ts') return path;
  const stem = path.slice(0, -'.ts'.length);
  return [`${stem}.js`, `${stem}.mjs`].find((compiled) => existsSync(compiled)) ?? `${stem}.js`;
}

/** Shown in process lists only; the program itself gets its settings over the channel. */
const facts = ({ pack, class_name, trigger_types, poll_interval }: SensorTypeRecord, file: string): string[] => [
  `--pack=${pack}`,
  `--file-path=${file}`,
  `--class-name=${class_name}`,
  `--trigger-type-refs=${trigger_types.join(',')}`,
  ...(poll_interval === undefined ? [] : [`--poll-interval=${poll_interval}`]),
];

/** The pack directory contains `sensors`, which contains the file. */
function packDirectoryOf({ artifact_uri, pack }: SensorTypeRecord): string {
  const path = fileURLToPath(artifact_uri);
  const marker = `/${pack}/sensors/`;
  const at = path.lastIndexOf(marker);
  return at === -1 ? join(path, '..', '..') : path.slice(0, at + marker.length - '/sensors/'.length);
}

/** Packs without requirements use the system's Python. */
function pythonOf(pack: string, packDirectory: string, { virtualenvs, python: system }: LaunchSettings): string {
  const python = join(virtualenvs, pack, 'bin', 'python');
  if (SYSTEM_PACKS.includes(pack)) return system;
  if (existsSync(python)) return python;
  if (existsSync(join(packDirectory, 'requirements.txt'))) throw fault('sensor.no-virtualenv', { pack, python });
  return system;
}

const pythonPath = (packDirectory: string, { commonLibs, environment }: LaunchSettings): string =>
  [commonLibs ? join(packDirectory, 'lib') : '', environment['PYTHONPATH'] ?? '', SENSOR_PYTHON_MODULES]
    .filter((part) => part !== '')
    .join(':');
