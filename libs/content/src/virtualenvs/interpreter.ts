import { fault, messageOf } from '@switchyard/base';
import { startProcess } from '@switchyard/subprocess';
import type { VirtualenvSettings } from './virtualenv-settings';

/** The interpreter that environments are made from. */
export interface Interpreter {
  readonly version: string;
  /** Where its own packages are, when it belongs to a virtual environment itself; empty otherwise. */
  readonly ownPackages: readonly string[];
}

const QUESTION = `
import json, sys, sysconfig
paths = sysconfig.get_paths()
own = sorted({paths["purelib"], paths["platlib"]}) if sys.prefix != sys.base_prefix else []
print(json.dumps({"version": sys.version, "ownPackages": own}))
`;

/** @throws Fault `content.virtualenv` when it cannot be started */
export async function askInterpreter(
  pack: string,
  { python, environment }: Pick<VirtualenvSettings, 'python' | 'environment'>,
): Promise<Interpreter> {
  const { stdout, stderr, spawnError } = await startProcess({
    command: { file: python, args: ['-I', '-c', QUESTION] },
    env: environment,
  }).result;
  try {
    return JSON.parse(stdout.text) as Interpreter;
  } catch (error) {
    const reason = `${python} does not answer: ${spawnError?.message ?? (stderr.text.trim() || messageOf(error))}`;
    throw fault('content.virtualenv', { pack, reason });
  }
}
