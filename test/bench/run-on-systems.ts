import { loadavg } from 'node:os';
import { smallGroups } from '../system/small-groups';
import { ROOT } from '../system/system-process';
import type { Against, BenchArguments } from './arguments';
import { openBench, type Bench } from './bench';
import { compared, printComparisons, type Pair } from './comparison';
import { printMeasurements, rounded, type Measurement } from './measurement';
import { prepareCheckout } from './other-checkout';
import { SYSTEM_SCENARIOS } from './system-scenarios';
import { targetAtUrl, type UrlCredentials } from './target-at-url';
import { embeddedTargets, serversTargets, type OpenOptions, type Targets } from './target';

type Choice = Pick<BenchArguments, 'target' | 'runners' | 'grouping' | 'scale' | 'stored' | 'system'>;

/** The scenario that needs a system whose calls are counted. */
const COUNTED = 'calls';

/** Starts a system, runs scenarios on it and stops it. */
export async function runOnSystem(choice: Choice): Promise<void> {
  await withTargets(choice, async (targets) => {
    for (const [names, counted] of grouped(choice.system)) {
      const bench = await openBench(() => targets.open(ourOptions(choice, counted)), choice);
      try {
        for (const name of names) await alone(bench, name);
      } finally {
        await bench.close();
      }
    }
  });
}

/** Runs each scenario alternately on this system and another one, and compares the measurements. */
export async function runAgainst(choice: Choice, against: Against, credentials: UrlCredentials): Promise<void> {
  // Invalid arguments are reported before servers are started.
  const open = otherSystem(choice, against, credentials);
  await withTargets(choice, async (targets) => {
    for (const [names, counted] of grouped(choice.system)) {
      const here = await openBench(() => targets.open(ourOptions(choice, counted)), choice);
      try {
        const other = await openBench(() => open(targets, counted), choice);
        try {
          for (const name of names) await byTurns({ here, other }, name, against.pairs);
        } finally {
          await other.close();
        }
      } finally {
        await here.close();
      }
    }
  });
}

async function withTargets({ target }: Choice, run: (targets: Targets) => Promise<void>): Promise<void> {
  const targets = target === 'servers' ? await serversTargets() : embeddedTargets();
  try {
    await run(targets);
  } finally {
    await targets.close();
  }
}

/** Counting calls costs time, so only the scenario that needs it gets such a system. */
const grouped = (names: readonly string[]): [string[], boolean][] =>
  [false, true]
    .map((counted): [string[], boolean] => [names.filter((name) => (name === COUNTED) === counted), counted])
    .filter(([group]) => group.length > 0);

const ourOptions = ({ runners, grouping }: Choice, counted: boolean): OpenOptions => ({
  label: 'this system',
  checkout: ROOT,
  runners,
  counted,
  ...(grouping === 'small' ? { groups: smallGroups() } : {}),
});

function otherSystem({ runners }: Choice, against: Against, credentials: UrlCredentials) {
  if ('url' in against) {
    const target = targetAtUrl(against.url, credentials);
    return async () => target;
  }
  const { directory, label } = prepareCheckout(against.commit);
  return (targets: Targets, counted: boolean) => targets.open({ label, checkout: directory, runners, counted });
}

async function alone(bench: Bench, name: string): Promise<void> {
  const before = loadavg()[0] ?? 0;
  const measurements = await scenario(name)(bench);
  console.log(`\n${name}, ${loadLine(before)}`);
  printMeasurements(measurements);
}

async function byTurns(benches: Record<'here' | 'other', Bench>, name: string, count: number): Promise<void> {
  const before = loadavg()[0] ?? 0;
  const pairs: Pair[] = [];
  for (let pair = 0; pair < count; pair++) {
    const measured: Record<'here' | 'other', readonly Measurement[]> = { here: [], other: [] };
    // Alternating, so that anything that grows or slows down over time affects both.
    const order = pair % 2 === 0 ? (['here', 'other'] as const) : (['other', 'here'] as const);
    for (const side of order) measured[side] = await scenario(name)(benches[side]);
    pairs.push(measured);
    console.log(`${name}: pair ${pair + 1} of ${count}, ${loadLine(before)}`);
  }
  printComparisons(compared(pairs), benches.other.system.label);
}

const scenario = (name: string) => {
  const found = SYSTEM_SCENARIOS[name];
  if (found === undefined) throw new Error(`There is no scenario "${name}".`);
  return found.run;
};

/** The load of the whole machine, including the bench and the system. */
const loadLine = (before: number): string => `load ${rounded(before)} before, ${rounded(loadavg()[0] ?? 0)} after`;
