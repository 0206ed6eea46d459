import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is not expected to pass, of one set of scenarios. */
interface NotExpected {
  /** What is not built yet: names of scenarios, by what they need. */
  readonly later: Readonly<Record<string, readonly string[]>>;
  /** What differs on purpose, with the reason; docs/compatibility.md says more. */
  readonly different: Readonly<Record<string, string>>;
}

const expectations = JSON.parse(readFileSync(join(__dirname, 'not-expected.json'), 'utf8')) as Record<
  string,
  NotExpected
>;

/** The names of those sets: files of HTTP scenarios, and `cli`. */
export const recordedSets = Object.keys(expectations);

/** Names of the scenarios of a set that are not expected to pass. */
export function notExpected(set: string): ReadonlySet<string> {
  const { later, different } = expectations[set] ?? { later: {}, different: {} };
  return new Set([...Object.values(later).flat(), ...Object.keys(different)]);
}

interface Outcome {
  passed: string[];
  failed: { name: string; report: string }[];
}

/** Runs a program that replays scenarios, and reads what it prints about each of them. */
export async function replayWith(program: string, args: readonly string[]): Promise<Outcome> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await new Promise((done) => child.once('close', done));
  const blocks = printed.split(/^(?=ok |not ok )/m);
  return {
    passed: blocks.filter((block) => block.startsWith('ok ')).map((block) => /^ok (\S+)/.exec(block)?.[1] ?? ''),
    failed: blocks
      .filter((block) => block.startsWith('not ok '))
      .map((block) => ({ name: /^not ok (\S+)/.exec(block)?.[1] ?? '', report: block.slice(0, 1500) })),
  };
}

/** Everything passes but what is listed, and nothing of what is listed does. */
export function expectOutcome(set: string, outcome: Outcome): void {
  const listed = notExpected(set);
  const unexpectedFailures = outcome.failed.filter(({ name }) => !listed.has(name));
  const unexpectedPasses = outcome.passed.filter((name) => listed.has(name));
  console.info(`${set}: ${outcome.passed.length} passed, ${listed.size} not expected to pass`);
  expect(unexpectedFailures.map(({ report }) => report)).toEqual([]);
  expect(unexpectedPasses).toEqual([]);
  expect(outcome.passed.length).toBeGreaterThan(0);
}
