import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiCaller } from '../system/api-caller';
import { timeOf } from './measure';
import { ofJob, type Submission } from './submit';

const ACTION = `
from st2common.runners.base_action import Action


class Greet(Action):
    def run(self, name):
        return "hello " + name
`;

const FILES = {
  'pack.yaml':
    'name: bench\nref: bench\ndescription: What the bench runs.\nversion: 1.0.0\nauthor: bench\nemail: bench@example.org\n',
  'actions/greet.py': ACTION,
  'actions/greet.yaml':
    'name: greet\nrunner_type: python-script\nentry_point: greet.py\nenabled: true\nparameters: { name: { type: string } }\n',
};

/** Installs a pack with one trivial Python action. */
export async function withPythonPack(directory: string, api: ApiCaller): Promise<void> {
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(directory, 'packs/bench', path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  const { status, body } = await api.call('POST', '/v1/packs/register', { packs: ['bench'], types: ['action'] });
  if (status !== 200) throw new Error(`the pack was refused with ${status}: ${JSON.stringify(body)}`);
}

/** A variable that only takes effect at interpreter start, which rules out warm workers. */
const ISOLATED = { PYTHONUNBUFFERED: '1' };

export const ofPython = (mode: 'warm' | 'isolated'): Submission =>
  ofJob({ action: 'bench.greet', parameters: { name: 'you', ...(mode === 'isolated' && { env: ISOLATED }) } });

/**
 * Milliseconds for an interpreter that does nothing, p50: the lower bound for an action in its own interpreter.
 * `python3` may be a shim of a version manager: `named` includes the shim, `bare` does not.
 */
export async function interpreterStart(rounds: number): Promise<{ readonly bare: number; readonly named: number }> {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  const [bare, named] = [await timeOf([stdout.trim(), '-c', ''], rounds), await timeOf(['python3', '-c', ''], rounds)];
  return { bare: bare.p50, named: named.p50 };
}
