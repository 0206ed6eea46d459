import { randomUUID } from 'node:crypto';
import { ProcessStarter, startProcess, type ChildRun, type ProcessOptions } from '@switchyard/subprocess';
import { describeServer } from './spawn-server/starters';

/** Starts a process in one of the two ways. */
export type Start = (options: ProcessOptions) => Promise<ChildRun>;

/** Runs the same tests with processes that are started directly, and with those of a spawn server. */
export function describeWays(name: string, tests: (start: Start) => void): void {
  describe(`${name} directly`, () => tests((options) => Promise.resolve(startProcess(options))));

  describeServer(`${name} by the spawn server`, () => {
    const starter = new ProcessStarter('python3');
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const marker = () => ({ name: 'SUBPROCESS_TEST_WAY', value: randomUUID() });
    afterAll(async () => {
      const parent = starter.start({ command: { script: 'echo $PPID' }, marker: marker() }, warn);
      const { stdout } = await (await parent).result;
      expect([stdout.text, warnings]).toEqual([`${starter.serverPid}\n`, []]);
      await starter.close();
    });
    tests((options) => starter.start({ marker: marker(), ...options }, warn));
  });
}
