// `npm run test:faults -- [--target embedded|servers] [--scenario load|webhooks|workflows|cancels|stops|cluster] [--scale N] [--rounds N] [--seed S]`:
// injects faults under load, and verifies from the history and the output of the commands that nothing was lost or done twice.
// `webhooks` kills the rules engine in a burst of N (`--scale`) events, `workflows` kills engines, runners and the scheduler while
// N workflows run, `cancels` kills the system, or engines, while a tree of N executions is being canceled, `stops` stops all
// services while the store, or the broker, does not respond, and `cluster` kills the node of a RabbitMQ cluster that leads the
// queue of the action runners.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exitWhenTold } from '../system/ends-with-us';
import { openBrokerClusterRounds } from './broker-cluster-rounds';
import { embeddedCancelRound, openServerCancelRounds } from './cancel-rounds';
import { embeddedRound, type RoundReport } from './embedded-round';
import { randomFrom } from './random';
import { openServerRounds } from './server-rounds';
import { openStopRounds } from './stop-rounds';
import { summary } from './summary';
import { embeddedWebhookRound, openServerWebhookRounds } from './webhook-rounds';
import { openEmbeddedWorkflowRounds, openServerWorkflowRounds } from './workflows/rounds';

interface Rounds {
  round(number: number, random: () => number): Promise<RoundReport>;
  close(): Promise<void>;
}

type Open = (directory: string, scale: number, seed: number) => Promise<Rounds>;

const scenarios: Record<string, Record<string, Open>> = {
  load: {
    embedded: (directory) => inOneProcess((number, random) => embeddedRound(number, directory, random)),
    servers: openServerRounds,
  },
  webhooks: {
    embedded: (directory, scale) =>
      inOneProcess((number, random) => embeddedWebhookRound(directory, { number, scale, random })),
    async servers(_, scale) {
      const { round, close } = await openServerWebhookRounds();
      return { round: (number, random) => round({ number, scale, random }), close };
    },
  },
  workflows: { embedded: openEmbeddedWorkflowRounds, servers: openServerWorkflowRounds },
  cancels: {
    embedded: (directory, scale) => inOneProcess((_, random) => embeddedCancelRound(directory, { scale, random })),
    servers: openServerCancelRounds,
  },
  stops: { servers: openStopRounds },
  cluster: { servers: openBrokerClusterRounds },
};

/** The default scale. `load` has none, since it runs for a fixed time. */
const SCALES: Record<string, number> = { webhooks: 1000, workflows: 20, cancels: 2000 };

const inOneProcess = (round: Rounds['round']): Promise<Rounds> =>
  Promise.resolve({ round, close: () => Promise.resolve() });

function readArguments() {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', default: 'embedded' },
      scenario: { type: 'string', default: 'load' },
      scale: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
    },
  });
  const targets = oneOf('scenario', values.scenario, scenarios);
  const open = oneOf('target', values.target, targets);
  const scale = wholeNumber('scale', values.scale ?? String(SCALES[values.scenario] ?? 1), 1);
  const rounds = wholeNumber('rounds', values.rounds, 1);
  const seed = wholeNumber('seed', values.seed);
  const again = Object.entries(values).map(([name, value]) => `--${name} ${value}`);
  return { open, scale, rounds, seed, again: again.join(' ') };
}

function oneOf<T>(option: string, given: string, known: Record<string, T>): T {
  const found = known[given];
  if (found) return found;
  throw new Error(`--${option}: expected ${Object.keys(known).join(' or ')}, got "${given}"`);
}

function wholeNumber(option: string, given: string, least = -Infinity): number {
  const number = Number(given);
  if (Number.isInteger(number) && number >= least) return number;
  throw new Error(`--${option}: expected a whole number, got "${given}"`);
}

async function main(): Promise<void> {
  const { open, scale, rounds, seed, again } = readArguments();
  const random = randomFrom(seed);
  const directory = mkdtempSync(join(tmpdir(), 'svc-faults-'));
  const runs = await open(directory, scale, seed);
  let failed = 0;
  const reports: RoundReport[] = [];
  try {
    for (let number = 1; number <= rounds; number++) {
      const report = await runs.round(number, random);
      const { problems, line } = report;
      reports.push(report);
      console.log(`round ${number}: ${line}`);
      for (const problem of problems) console.log(`    ${problem}`);
      if (problems.length > 0) failed++;
    }
  } finally {
    await runs.close();
  }
  for (const line of summary(reports)) console.log(line);
  if (failed === 0) rmSync(directory, { recursive: true, force: true });
  else console.log(`What the failed run wrote is in ${directory}; replay with ${again}.`);
  console.log(`${rounds - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

exitWhenTold();
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
