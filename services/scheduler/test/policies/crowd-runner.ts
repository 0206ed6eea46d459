import { setImmediate as turn } from 'node:timers/promises';
import type { RunnerPlugin } from '@switchyard/runners';
import { manualRunner } from '@switchyard/testkit/system';

/** A runner with runs that end by themselves. Counts how many run at once. */
export interface CrowdRunner extends RunnerPlugin {
  /** Executions in the order in which they began. */
  readonly began: readonly string[];
  /** The most that ran at once, by the value of the parameter `host`. */
  readonly most: ReadonlyMap<unknown, number>;
}

/** Number of event loop turns that a run takes: long enough for others to begin meanwhile, if they may. */
const TURNS = 20;

export function crowdRunner(): CrowdRunner {
  const began: string[] = [];
  const now = new Map<unknown, number>();
  const most = new Map<unknown, number>();
  const shift = (group: unknown, by: number) => {
    const count = (now.get(group) ?? 0) + by;
    now.set(group, count);
    most.set(group, Math.max(count, most.get(group) ?? 0));
  };
  const { manifest } = manualRunner({ name: 'crowd' });
  return {
    manifest,
    startsProcess: false,
    began,
    most,
    run({ executionId, actionParameters }) {
      const group = actionParameters['host'];
      const work = async () => {
        began.push(executionId);
        shift(group, 1);
        for (let i = 0; i < TURNS; i++) await turn();
        shift(group, -1);
        return { status: 'succeeded' as const, result: {} };
      };
      return { result: work(), cancel: () => undefined };
    },
  };
}
