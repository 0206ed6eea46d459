import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ROOT, USUAL_API } from '../system/system-process';
import { expectOutcome, leftOut, notExpected, recordedSets, replayWith, withoutOtherWaits, type WaitingScenario } from './replay-outcome'; // oxfmt-ignore
import type { Side } from './side';

const RECORDED = join(ROOT, 'test/conformance/recorded/http');

const MINUTES = 60_000;

/** Settings and packs of the recorded system beyond the defaults. */
export const packs = [join(RECORDED, '../packs/conformance')];
export const environment = {
  SVC_SYSTEM__VALIDATE_OUTPUT_SCHEMA: 'true',
  // A busy machine can delay a process for seconds. It must not count as dead, since recovery would change the responses.
  SVC_INSTANCES__LEASE_MS: '60000',
};

/** Declares a test for each file of recorded HTTP scenarios. */
export function replayScenarios(sideOf: () => Side): void {
  it.each(recordedSets.filter((set) => set.endsWith('.jsonl')))(
    'in %s are the same, except for listed differences',
    async (file) => {
      const { api, auth, stream } = sideOf();
      const scenarios = prepared(join(RECORDED, file), api);
      const addresses = ['--api', api, '--auth', auth, '--stream', stream];
      const program = join(RECORDED, 'replay.mjs');
      const outcome = await replayWith(process.execPath, [program, '--verbose', ...addresses, scenarios]);
      expectOutcome(file, withoutOtherWaits(outcome, linesOf(scenarios)));
    },
    15 * MINUTES,
  );
}

/**
 * Prepares the scenarios of a file for one run, without those that this machine cannot run. Scenarios that are not expected to pass
 * get short waits.
 * @returns the path of the file to replay
 */
function prepared(file: string, api: string): string {
  const [listed, absent] = [notExpected(basename(file)), leftOut(basename(file))];
  const scenarios = linesOf(file);
  const shortened = scenarios.flatMap((scenario) => {
    if (absent.has(scenario.name)) return [];
    if (listed.has(scenario.name)) for (const step of scenario.steps) step.within = 0.5;
    return JSON.stringify(scenario).replaceAll(USUAL_API, new URL(api).host);
  });
  const copy = join(mkdtempSync(join(tmpdir(), 'svc-scenarios-')), basename(file));
  writeFileSync(copy, `${shortened.join('\n')}\n`);
  return copy;
}

interface Scenario extends WaitingScenario {
  readonly steps: readonly (WaitingScenario['steps'][number] & { within?: number })[];
}

const linesOf = (file: string): Scenario[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Scenario);
