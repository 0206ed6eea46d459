import { Autoscaler, type ScalingRule } from './autoscaling-rule';
import type { PoolLevels } from './recorded-levels';

export interface SimulatedPool {
  readonly rule: ScalingRule;
  readonly slots: number;
  /** How long a terminating action runner waits for its actions. */
  readonly drainSeconds: number;
  /** How many executions arrive in each second. */
  readonly arrivals: readonly number[];
  /** How long an execution takes, by its number. */
  readonly secondsOf: (number: number) => number;
  /** What the autoscaler reads at each second. Default: what is measured in the simulation. */
  readonly levelsAt?: (seconds: number) => PoolLevels;
}

export interface Simulated {
  readonly arrived: number;
  readonly finished: number;
  /** Executions that were still running when the time to drain was over. */
  readonly cut: number;
  readonly longestWaitSeconds: number;
  /** The size of the pool, at the end of each second. */
  readonly sizes: readonly number[];
  /** What the scheduler would measure, at the end of each second. */
  readonly levels: readonly PoolLevels[];
  /** How often a pod was removed. */
  readonly removed: number;
}

/** From the creation of a pod until its action runner takes work. */
const START_SECONDS = 20;
/** The scheduler measures, Prometheus reads, and the autoscaler decides, each in its own time. */
const MEASURED_SECONDS = 10;
const READ_SECONDS = 15;
const DECIDED_SECONDS = 15;
/** One slot in this many gets an execution ahead of time. */
const AHEAD = 4;
/** Longer than any of the loads takes. */
const LONGEST_SECONDS = 24 * 3600;

interface SimulatedPod {
  readonly readyAt: number;
  /** When its executions end. */
  readonly running: number[];
  /** When what still runs is ended. */
  endsBy?: number;
}

/**
 * A pool of action runners, second by second: executions wait in order of arrival; a terminating action runner takes nothing new, and
 * finishes what it runs within its time to drain. Ends once everything has ended and the pool has its least size.
 */
export function simulatePool({ rule, slots, drainSeconds, arrivals, secondsOf, levelsAt }: SimulatedPool): Simulated {
  const autoscaler = new Autoscaler(rule);
  const waiting: number[] = [];
  const sizes: number[] = [];
  const levels: PoolLevels[] = [];
  const total = { arrived: 0, finished: 0, cut: 0, longestWaitSeconds: 0, removed: 0 };
  let pods: SimulatedPod[] = Array.from({ length: rule.least }, () => ({ readyAt: 0, running: [] }));
  let measured: PoolLevels = { waiting: 0, active: 0, ageSeconds: 0 };
  let read = measured;
  const serving = () => pods.filter(({ endsBy }) => endsBy === undefined);

  const end = (at: number) => {
    for (const pod of pods) {
      total.finished += take(pod.running, (endsAt) => endsAt <= at);
      if (pod.endsBy !== undefined && pod.endsBy <= at) total.cut += take(pod.running, () => true);
    }
    pods = pods.filter(({ endsBy, running }) => endsBy === undefined || running.length > 0);
  };
  const begin = (at: number) => {
    for (const { running } of serving().filter(({ readyAt }) => readyAt <= at))
      while (running.length < slots && waiting.length > 0) {
        const since = waiting.shift()!;
        total.longestWaitSeconds = Math.max(total.longestWaitSeconds, at - since);
        running.push(at + secondsOf(total.arrived - waiting.length - 1));
      }
  };
  const scale = (at: number) => {
    const now = serving();
    const wanted = autoscaler.decide(at, read, now.length);
    for (let size = now.length; size < wanted; size++) pods.push({ readyAt: at + START_SECONDS, running: [] });
    // Kubernetes removes the youngest first.
    for (const pod of now.slice(wanted)) {
      pod.endsBy = at + drainSeconds;
      total.removed += 1;
    }
  };

  for (let at = 0; at < LONGEST_SECONDS; at++) {
    end(at);
    for (let count = arrivals[at] ?? 0; count > 0; count--) {
      waiting.push(at);
      total.arrived += 1;
    }
    begin(at);
    const active = pods.reduce((sum, { running }) => sum + running.length, 0);
    levels.push(levelsOf(at, waiting, active, serving().filter(({ readyAt }) => readyAt <= at).length * slots));
    if (at % MEASURED_SECONDS === 0) measured = levels[at]!;
    if (at % READ_SECONDS === 0) read = levelsAt?.(at) ?? measured;
    if (at % DECIDED_SECONDS === 0) scale(at);
    sizes.push(serving().length);
    if (at >= arrivals.length && waiting.length + active === 0 && pods.length === rule.least) break;
  }
  return { ...total, sizes, levels };
}

/** Executions that are released ahead of free slots are on their way to an action runner, so they count as active. */
function levelsOf(at: number, waiting: readonly number[], active: number, slots: number): PoolLevels {
  const ahead = Math.min(waiting.length, Math.ceil(slots / AHEAD));
  return { waiting: waiting.length - ahead, active: active + ahead, ageSeconds: at - (waiting[ahead] ?? at) };
}

/** Removes members. @returns how many */
function take<T>(from: T[], which: (member: T) => boolean): number {
  const kept = from.filter((member) => !which(member));
  const count = from.length - kept.length;
  from.splice(0, from.length, ...kept);
  return count;
}
