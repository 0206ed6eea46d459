import type { Measured } from './measured';
import type { Delays, ProbeResult, Slowest } from './probe/probe';

/** The goal for a quiet machine. */
const GOAL_MS = 100;

export const HEADING = row([
  'attack',
  's',
  '/healthz ms p50',
  'p99',
  'max',
  'own max',
  'idle p99',
  'max',
  'disk max',
  'turn max',
  'MB peak',
  'grown',
  'verdict',
]);

export function lineOf({ name, seconds, delays, turn, growth, peakMb, problems }: Measured): string {
  const worst = worstOf(delays);
  const ms = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(0));
  return row([
    name,
    seconds.toFixed(0),
    ms(worst?.p50),
    ms(worst?.p99),
    ms(worst?.max),
    ms(ownMaxOf(delays)),
    ms(delays?.idle.p99),
    ms(delays?.idle.max),
    ms(delays?.disk.max),
    ms(turn?.ms),
    String(peakMb),
    `${growth.factor.toFixed(2)}`,
    problems.length === 0 ? 'held' : 'FAILED',
  ]);
}

/** Lists turns over the goal, and delays over it beside the delays of the machine itself. */
export const beyondGoal = (all: readonly Measured[]): string[] => [
  ...all.flatMap(({ name, turn }) =>
    turn && turn.ms > GOAL_MS ? [`${name}: a turn of ${turn.ms.toFixed(0)} ms of processor time in ${turn.name}`] : [],
  ),
  ...delaysBeyondGoal(all),
];

function delaysBeyondGoal(all: readonly Measured[]): string[] {
  return all.flatMap(({ name, delays }) => {
    const worst = worstOf(delays);
    if (!worst || !delays || worst.max <= GOAL_MS) return [];
    const [idle, disk] = [delays.idle.max.toFixed(0), delays.disk.max.toFixed(0)];
    return [
      `${name}: ${worst.max.toFixed(0)} ms at ${worst.name} (${partsOf(worst.slowest)}); idle server at most ${idle} ms, disk ${disk} ms`,
    ];
  });
}

/** Tells the share of the process from that of the machine. */
const partsOf = ({ ms, workedMs, waitedMs }: Slowest): string =>
  `${workedMs.toFixed(0)} working, ${waitedMs.toFixed(0)} waiting for a processor, ${Math.max(0, ms - workedMs - waitedMs).toFixed(0)} for something else`;

export const goal = `${GOAL_MS} ms`;

/** The longest delay of any listener without the time that threads have waited for a processor. */
const ownMaxOf = (delays: ProbeResult | undefined): number | undefined =>
  delays && Math.max(0, ...Object.values(delays.system).map(({ ownMax }) => ownMax));

/** The listener with the longest delay. */
function worstOf(delays: ProbeResult | undefined): (Delays & { name: string }) | undefined {
  const [worst] = Object.entries(delays?.system ?? {})
    .map(([name, each]) => ({ name, ...each }))
    .sort((a, b) => b.max - a.max);
  return worst;
}

function row([name = '', ...rest]: readonly string[]): string {
  const widths = [5, 16, 6, 6, 8, 9, 6, 9, 9, 8, 6, 8];
  return [name.padEnd(22), ...rest.map((cell, index) => cell.padStart(widths[index] ?? 8))].join(' ');
}
