import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSystem, type SystemOptions, type SystemProcess } from '../../system/system-process';
import { targetEnvironment } from './environment';
import type { Target } from './target';
import { recordTurns } from './turns';

export interface TargetOptions {
  readonly packs: readonly string[];
  /** Additional lines of the password file. */
  readonly users: readonly string[];
}

/** A system in one process, as `npm start` runs it. */
export async function openProcessTarget({ packs, users }: TargetOptions): Promise<Target> {
  const turns = recordTurns();
  const options: SystemOptions = { environment: targetEnvironment(turns), packs };
  const printed: string[] = [];
  let system: SystemProcess = await startWithUsers(options, users);
  let died: string[] = [];
  const watch = () => {
    const { child } = system;
    child.once('exit', (code, signal) => (died = [...died, `the process ${child.pid} ended (${code ?? signal})`]));
  };
  watch();
  return {
    get addresses() {
      const { api, auth, stream } = system;
      return { api, auth, stream };
    },
    get probed() {
      return { api: { url: system.api, pid: system.child.pid ?? 0 } };
    },
    get directory() {
      return system.directory;
    },
    turns,
    processes: () => [{ name: 'all-in-one', pid: system.child.pid ?? 0 }],
    died: () => died,
    async restart() {
      const { directory, child } = system;
      child.removeAllListeners('exit');
      await system.stop({ keepData: true });
      printed.push(system.output());
      system = await startWithUsers({ ...options, packs: [], directory }, users);
      watch();
    },
    *logs() {
      yield* printed;
      yield system.output();
    },
    async stop() {
      system.child.removeAllListeners('exit');
      await system.stop();
      turns.remove();
    },
  };
}

/** Each start rewrites the password file, which can change at any time. */
async function startWithUsers(options: SystemOptions, users: readonly string[]): Promise<SystemProcess> {
  const system = await startSystem(options);
  appendFileSync(join(system.directory, 'htpasswd'), users.map((line) => `${line}\n`).join(''));
  return system;
}
