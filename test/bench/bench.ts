import type { ApiCaller } from '../system/api-caller';
import { localOf, type ExtraVariables, type ProcessStart, type Target } from './target';

/** A running system with a logged-in caller, and how much to measure on it. */
export interface Bench {
  readonly system: Target;
  readonly api: ApiCaller;
  /** Factor for the amount of work. */
  readonly scale: number;
  /** The number of executions that are stored before lists are read. */
  readonly stored: number;
  /** Restarts the system and logs in again. @returns the start of each of its processes */
  restart(whileStopped?: () => Promise<void>, environment?: ExtraVariables): Promise<ReadonlyMap<string, ProcessStart>>;
  /** Removes a resource of a system that keeps running after the bench. @param path of the API */
  removeLater(path: string): void;
  /** Stops a system that was started for the bench. */
  close(): Promise<void>;
}

/** How long a system is left alone once it is ready. */
const SETTLE_MS = 2000;

/** @param open starts the system or finds it */
export async function openBench(
  open: () => Promise<Target>,
  { scale, stored }: Pick<Bench, 'scale' | 'stored'>,
): Promise<Bench> {
  const system = await open();
  const paths = new Set<string>();
  let api: ApiCaller;
  try {
    api = await system.login();
  } catch (error) {
    await system.stop();
    throw error;
  }
  await settled();
  return {
    system,
    get api() {
      return api;
    },
    scale,
    stored,
    async restart(whileStopped, environment) {
      api.close();
      const starts = await localOf(system).restart(whileStopped, environment);
      api = await system.login();
      await settled();
      return starts;
    },
    removeLater: (path) => void paths.add(path),
    async close() {
      if (system.local === undefined) for (const path of paths) await api.call('DELETE', path);
      api.close();
      await system.stop();
    },
  };
}

export const settled = (milliseconds = SETTLE_MS): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
