import type { Outcome } from './attack';
import type { Run } from './open-run';
import type { ProbeResult } from './probe/probe';
import type { LongestTurn } from './target/turns';
import { forgetPeaks, peakOf, settledGrowth, type Growth, type Held } from './target/memory';

/** What happened to the system during an attack. */
export interface Measured {
  readonly name: string;
  readonly seconds: number;
  /** Absent if the system was down for a while. */
  readonly delays?: ProbeResult;
  /** Absent as `delays`. */
  readonly turn?: LongestTurn;
  readonly growth: Growth;
  readonly peakMb: number;
  readonly problems: readonly string[];
  readonly note?: string;
}

/** How much more memory than before processes may hold. */
const ALLOWED_GROWTH = 1.3;
/** How much more even a small process may hold: a few outputs and requests in memory that is not released at once. */
const ALLOWED_MB = 80;
const SETTLE_MS = 40_000;
/** A generous limit, since machines may be busy. The goal is 100 ms. */
const INTOLERABLE_MS = 15_000;

export interface Measurable {
  readonly name: string;
  readonly restarts?: true;
  readonly act: () => Promise<Outcome>;
  /** The memory to compare with. */
  readonly before: Held;
}

/** Runs an attack and watches the health, memory and processes of the system during and after it. */
export async function measured(run: Run, { name, restarts, act, before }: Measurable): Promise<Measured> {
  const { target } = run.setting;
  const processes = target.processes();
  forgetPeaks(processes);
  const start = performance.now();
  const since = new Date();
  if (!restarts) await run.probe.begin(target.probed);
  const outcome = await act().catch((error: unknown) => ({ problems: [`it failed: ${String(error)}`] }));
  const delays = restarts ? undefined : await run.probe.end();
  const turn = restarts ? undefined : target.turns.longest(processes, since);
  const seconds = (performance.now() - start) / 1000;
  const peakMb = peakOf(processes);
  const now = target.processes();
  const growth = restarts ? NO_GROWTH : await settledGrowth(now, before, { isAllowed, withinMs: SETTLE_MS });
  const exchanged = restarts ? [] : now.filter(({ pid }, index) => pid !== processes[index]?.pid);
  return {
    name,
    seconds,
    ...(delays && { delays }),
    ...(turn && { turn }),
    growth,
    peakMb,
    problems: [
      ...outcome.problems,
      ...run.takeFindings(),
      ...target.died(),
      ...exchanged.map((each) => `${each.name} has been started again`),
      ...growthProblems(growth),
      ...(delays ? delayProblems(delays) : []),
    ],
    ...('note' in outcome && outcome.note !== undefined && { note: outcome.note }),
  };
}

const NO_GROWTH: Growth = { factor: 1, name: 'started again', fromMb: 0, toMb: 0, held: new Map() };

const isAllowed = ({ factor, fromMb, toMb }: Growth): boolean =>
  factor <= ALLOWED_GROWTH || toMb - fromMb <= ALLOWED_MB;

const growthProblems = (growth: Growth): string[] =>
  isAllowed(growth) ? [] : [`${growth.name} has grown from ${growth.fromMb} to ${growth.toMb} MB`];

/** Accounts for delays of the machine itself, which also delay the system. */
function delayProblems({ system, idle, disk }: ProbeResult): string[] {
  const machineMs = Math.max(idle.max, disk.max) + (idle.failed + disk.failed > 0 ? Number.POSITIVE_INFINITY : 0);
  const boundMs = INTOLERABLE_MS + 2 * machineMs;
  return Object.entries(system).flatMap(([name, { max, failed }]) => [
    ...(max > boundMs ? [`/healthz of ${name} took ${max.toFixed(0)} ms`] : []),
    ...(failed > 0 && machineMs < INTOLERABLE_MS ? [`/healthz of ${name} failed ${failed} times`] : []),
  ]);
}
