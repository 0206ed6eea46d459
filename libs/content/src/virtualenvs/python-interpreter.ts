import { fault, messageOf } from '@switchyard/base';
import { startProcess } from '@switchyard/subprocess';
import type { VirtualenvSettings } from './virtualenv-settings';

/** The interpreter used to create environments. */
export interface PythonInterpreter {
  readonly version: string;
  /** Its package directories, if it is itself in a virtual environment; empty otherwise. */
  readonly ownPackages: readonly string[];
  /** The wheels of pip, and in older versions setuptools, that come with it for new environments. */
  readonly bundledWheels: readonly string[];
}

const QUESTION = `
import glob, json, os, sys, sysconfig
paths = sysconfig.get_paths()
own = sorted({paths["purelib"], paths["platlib"]}) if sys.prefix != sys.base_prefix else []
places = [sysconfig.get_config_var("WHEEL_PKG_DIR"), os.path.join(paths["stdlib"], "ensurepip", "_bundled")]
found = [glob.glob(os.path.join(place, name)) for place in places if place for name in ("pip-*.whl", "setuptools-*.whl")]
wheels = {os.path.basename(wheel).split("-")[0]: wheel for wheels in reversed(found) for wheel in wheels}
if sys.version_info >= (3, 12):
    wheels.pop("setuptools", None)
print(json.dumps({"version": sys.version, "ownPackages": own, "bundledWheels": [wheels[name] for name in sorted(wheels)]}))
`;

/** @throws Fault `content.virtualenv` when it cannot be started */
export async function askInterpreter(
  pack: string,
  { python, environment }: Pick<VirtualenvSettings, 'python' | 'environment'>,
): Promise<PythonInterpreter> {
  const { stdout, stderr, spawnError } = await startProcess({
    command: { file: python, args: ['-I', '-c', QUESTION] },
    env: environment,
  }).result;
  try {
    return JSON.parse(stdout.text) as PythonInterpreter;
  } catch (error) {
    const reason = `${python} did not return valid information: ${spawnError?.message ?? (stderr.text.trim() || messageOf(error))}`;
    throw fault('content.virtualenv', { pack, reason });
  }
}

/** `3.11` of `3.11.7 (main, …)`. */
export const minorVersionOf = ({ version }: PythonInterpreter): string => /^\d+\.\d+/.exec(version)?.[0] ?? version;
