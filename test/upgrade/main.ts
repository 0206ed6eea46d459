// `npm run test:upgrade -- [--target embedded|servers] [--scale N] [--seed S] [--half]`: replaces the last released version by this one and goes
// back, while executions, events and N random workflows per stage (`--scale`) are in progress. Without --target, both sides. The last
// version is built from its commit, once. With --half, half of the processes on servers are replaced and go back.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findCommit, prepareCheckout } from '../bench/other-checkout';
import { randomFrom } from '../faults/random';
import { randomWorkflows } from '../faults/workflows/random-workflows';
import { exitWhenTold } from '../system/ends-with-us';
import { ROOT } from '../system/system-process';
import { embeddedUpgrade, type UpgradeOptions } from './embedded-upgrade';
import { rollingUpgrade } from './rolling-upgrade';
import type { StageReport } from './stage';

/** The last version with an entry in CHANGELOG.md. */
const LAST = { version: '0.1.0', commit: '6ac6fb2a2aede88f0a07d4a897143d21cd3b7878' };

const TARGETS: Readonly<Record<string, (options: UpgradeOptions) => Promise<void>>> = {
  embedded: embeddedUpgrade,
  servers: rollingUpgrade,
};

function readArguments() {
  const { values } = parseArgs({
    options: {
      target: { type: 'string' },
      scale: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      half: { type: 'boolean', default: false },
    },
  });
  const { target } = values;
  if (target !== undefined && !Object.hasOwn(TARGETS, target))
    throw new Error(`--target: expected ${Object.keys(TARGETS).join(' or ')}, got "${target}"`);
  return {
    targets: target === undefined ? Object.values(TARGETS) : [TARGETS[target]!],
    scale: wholeNumber('scale', values.scale, 1),
    seed: wholeNumber('seed', values.seed, 0),
    isHalf: values.half,
  };
}

function wholeNumber(option: string, given: string, least: number): number {
  const number = Number(given);
  if (given.trim() !== '' && Number.isInteger(number) && number >= least) return number;
  throw new Error(`--${option}: expected a whole number of at least ${least}, got "${given}"`);
}

/** @throws Error if there has been another release since */
function checkLast(): void {
  const [, released] = /^## (\d\S*)/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
  if (released !== LAST.version)
    throw new Error(
      `CHANGELOG.md has version ${released} as the last one; test/upgrade/main.ts still names ${LAST.version}`,
    );
}

async function main(): Promise<void> {
  const { targets, scale, seed, isHalf } = readArguments();
  checkLast();
  if (findCommit(LAST.commit) === undefined)
    return console.log(`Left out: this clone does not have the commit of version ${LAST.version}.`);
  const { directory: last } = prepareCheckout(LAST.commit);
  const workflows = randomWorkflows(scale, seed);
  const counts = { passed: 0, failed: 0 };
  const report = ({ name, problems, line }: StageReport) => {
    counts[problems.length === 0 ? 'passed' : 'failed']++;
    console.log(`${name}: ${line}`);
    for (const problem of problems) console.log(`    ${problem}`);
  };
  for (const upgrade of targets) {
    const directory = mkdtempSync(join(tmpdir(), 'svc-upgrade-'));
    const failedBefore = counts.failed;
    await upgrade({ last, directory, workflows, random: randomFrom(seed), report, isHalf });
    if (counts.failed === failedBefore) rmSync(directory, { recursive: true, force: true });
    else
      console.log(`The journals of the failed run are in ${directory}; replay with --scale ${scale} --seed ${seed}.`);
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

exitWhenTold();
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
