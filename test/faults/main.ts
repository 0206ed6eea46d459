// `npm run test:faults -- [--target embedded|servers] [--scenario load|webhooks|workflows|cancels|stops|cluster] [--scale N] [--rounds N]
// [--minutes N] [--seed S] [--first N] [--fault TEXT] [--record FILE]`:
// injects faults under load, and verifies from the history and the output of the commands that nothing was lost or done twice.
// `load` has one fault of any kind in each round (`--fault` limits the kinds), `webhooks` kills the rules engine in a burst of N
// (`--scale`) events, `workflows` kills engines, runners and the scheduler while N workflows run, and `cancels` kills the system,
// or engines, while a tree of N executions is being canceled. `stops` stops all services while the store, or the broker, does not
// respond, and `cluster` kills the node of a RabbitMQ cluster that leads the queue of the action runners. `--record` adds the rounds to a file, and goes on after those in it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitWhenTold } from '../system/ends-with-us';
import { openBrokerClusterRounds } from './broker-cluster-rounds';
import { embeddedCancelRound, openServerCancelRounds } from './cancel-rounds';
import { readFaultArguments, type FaultArguments } from './fault-arguments';
import { openLoadRounds } from './load-rounds';
import { randomOfRound } from './random';
import { openRecord, type RoundRecord } from './round-record';
import type { RoundReport } from './round-report';
import { openEmbeddedSite } from './site/embedded-site';
import { openServerSite } from './site/server-site';
import { openStopRounds } from './stop-rounds';
import { summary } from './summary';
import { embeddedWebhookRound, openServerWebhookRounds } from './webhook-rounds';
import { openEmbeddedWorkflowRounds, openServerWorkflowRounds } from './workflows/rounds';

interface Rounds {
  round(number: number, random: () => number): Promise<RoundReport>;
  close(): Promise<void>;
}

type Open = (directory: string, options: FaultArguments) => Promise<Rounds>;

const scenarios: Readonly<Record<string, Readonly<Record<string, Open>>>> = {
  load: {
    embedded: (directory, { fault }) => openLoadRounds(directory, openEmbeddedSite, fault),
    servers: (directory, { fault }) => openLoadRounds(directory, openServerSite, fault),
  },
  webhooks: {
    embedded: (directory, { scale }) =>
      inOneProcess((number, random) => embeddedWebhookRound(directory, { number, scale, random })),
    async servers(_, { scale }) {
      const { round, close } = await openServerWebhookRounds();
      return { round: (number, random) => round({ number, scale, random }), close };
    },
  },
  workflows: {
    embedded: (directory, { scale, seed }) => openEmbeddedWorkflowRounds(directory, scale, seed),
    servers: (directory, { scale, seed }) => openServerWorkflowRounds(directory, scale, seed),
  },
  cancels: {
    embedded: (directory, { scale }) => inOneProcess((_, random) => embeddedCancelRound(directory, { scale, random })),
    servers: (directory, { scale }) => openServerCancelRounds(directory, scale),
  },
  stops: { servers: (directory, { scale }) => openStopRounds(directory, scale) },
  cluster: { servers: (directory) => openBrokerClusterRounds(directory) },
};

const inOneProcess = (round: Rounds['round']): Promise<Rounds> =>
  Promise.resolve({ round, close: () => Promise.resolve() });

const MINUTE_MS = 60_000;

async function main(): Promise<void> {
  const targets = Object.entries(scenarios).map(([name, open]) => [name, Object.keys(open)] as const);
  const options = readFaultArguments(process.argv.slice(2), Object.fromEntries(targets));
  const { target, scenario, scale, seed, fault } = options;
  const record = openRecord(options.record, { target, scenario, scale, seed, fault });
  const directory = mkdtempSync(join(tmpdir(), 'svc-faults-'));
  const runs = await scenarios[scenario]![target]!(directory, options);
  let count = { passed: 0, failed: 0 };
  try {
    count = await runRounds(runs, options, record);
  } finally {
    await runs.close();
  }
  for (const line of summary(record.rounds)) console.log(line);
  if (count.failed === 0) rmSync(directory, { recursive: true, force: true });
  else console.log(`What the failed run wrote is in ${directory}.`);
  console.log(`${count.passed} passed, ${count.failed} failed`);
  process.exitCode = count.failed > 0 ? 1 : 0;
}

async function runRounds(runs: Rounds, options: FaultArguments, record: RoundRecord) {
  const { seed, rounds, minutes, first = record.next } = options;
  const end = performance.now() + minutes * MINUTE_MS;
  const count = { passed: 0, failed: 0 };
  for (let number = first; number < first + rounds && performance.now() < end; number++) {
    const report = await runs.round(number, randomOfRound(seed, number));
    record.add(number, report);
    const { problems, line } = report;
    count[problems.length === 0 ? 'passed' : 'failed']++;
    console.log(`round ${number}: ${line}`);
    for (const problem of problems) console.log(`    ${problem}`);
    if (problems.length > 0) console.log(`    replay: ${replay(options, number)}`);
  }
  return count;
}

const replay = ({ target, scenario, scale, seed, fault }: FaultArguments, number: number): string =>
  [
    `--target ${target} --scenario ${scenario} --seed ${seed} --first ${number} --rounds 1`,
    ...(scenario === 'load' ? [] : [`--scale ${scale}`]),
    ...(fault === '' ? [] : [`--fault '${fault}'`]),
  ].join(' ');

exitWhenTold();
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
