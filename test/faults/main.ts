// `npm run test:faults -- [--target embedded|servers] [--rounds N] [--seed S]`: makes things go wrong while a load runs,
// and proves from the history, and from what the commands wrote, that nothing was lost or done twice.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { embeddedRound, type RoundReport } from './embedded-round';
import { randomFrom } from './random';
import { openServerRounds } from './server-rounds';
import { summary } from './summary';

interface Rounds {
  round(number: number, random: () => number): Promise<RoundReport>;
  close(): Promise<void>;
}

const targets: Record<string, (directory: string) => Promise<Rounds>> = {
  embedded: (directory) =>
    Promise.resolve({
      round: (number, random) => embeddedRound(number, directory, random),
      close: () => Promise.resolve(),
    }),
  servers: openServerRounds,
};

function readArguments() {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', default: 'embedded' },
      rounds: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
    },
  });
  const open = targets[values.target];
  if (!open) throw new Error(`--target: expected ${Object.keys(targets).join(' or ')}, got "${values.target}"`);
  const rounds = Number(values.rounds);
  const seed = Number(values.seed);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds: expected a whole number, got "${values.rounds}"`);
  if (!Number.isInteger(seed)) throw new Error(`--seed: expected a whole number, got "${values.seed}"`);
  return { open, rounds, seed, target: values.target };
}

async function main(): Promise<void> {
  const { open, rounds, seed, target } = readArguments();
  const random = randomFrom(seed);
  const directory = mkdtempSync(join(tmpdir(), 'svc-faults-'));
  const runs = await open(directory);
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
  else
    console.log(
      `What the failed run wrote is in ${directory}; replay with --target ${target} --seed ${seed} --rounds ${rounds}.`,
    );
  console.log(`${rounds - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
