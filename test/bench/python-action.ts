import { spawnSync } from 'node:child_process';
import { referenceOfAction, type BenchAction } from './actions-over-http';
import { timeOf } from './measure';
import { ofJob, type Submission } from './submit';

const SOURCE = `
from st2common.runners.base_action import Action


class Greet(Action):
    def run(self, name):
        return "hello " + name
`;

/** A trivial Python action. */
export const greet: BenchAction = {
  name: 'bench_greet',
  runner_type: 'python-script',
  entry_point: 'bench_greet.py',
  parameters: { name: { type: 'string' } },
  data_files: [{ file_path: 'bench_greet.py', content: SOURCE }],
};

/** A variable that only takes effect at interpreter start, which rules out warm workers. */
const ISOLATED = { PYTHONUNBUFFERED: '1' };

export const ofPython = (mode: 'warm' | 'isolated'): Submission =>
  ofJob({
    action: referenceOfAction(greet.name),
    parameters: { name: 'you', ...(mode === 'isolated' && { env: ISOLATED }) },
  });

/**
 * Milliseconds for an interpreter that does nothing, p50: the lower bound for an action in its own interpreter.
 * `python3` may be a shim of a version manager: `named` includes the shim, `bare` does not.
 */
export async function interpreterStart(rounds: number): Promise<{ readonly bare: number; readonly named: number }> {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  const [bare, named] = [await timeOf([stdout.trim(), '-c', ''], rounds), await timeOf(['python3', '-c', ''], rounds)];
  return { bare: bare.p50, named: named.p50 };
}
