import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled } from '@switchyard/testkit/needed-programs';

/** The scenarios of one set that are not expected to pass. */
interface NotExpected {
  /** Names of scenarios that need missing features, by feature. */
  readonly later: Readonly<Record<string, readonly string[]>>;
  /** Deliberate differences, with the reason. See docs/compatibility.md. */
  readonly different: Readonly<Record<string, string>>;
  /** Names of scenarios that run Python actions. */
  readonly python?: readonly string[];
}

const expectations = JSON.parse(readFileSync(join(__dirname, 'not-expected.json'), 'utf8')) as Record<
  string,
  NotExpected
>;

/** The names of the sets: files of HTTP scenarios, and `cli`. */
export const recordedSets = Object.keys(expectations);

/** The names of the scenarios of a set that are not expected to pass. */
export function notExpected(set: string): ReadonlySet<string> {
  const { later, different } = expectations[set] ?? { later: {}, different: {} };
  return new Set([...Object.values(later).flat(), ...Object.keys(different)]);
}

/** The names of the scenarios of a set that are left out on this machine. */
export const leftOut = (set: string): ReadonlySet<string> =>
  new Set(hasPython ? [] : (expectations[set]?.python ?? []));

const hasPython = isInstalled('python3', 'recorded scenarios with Python actions');

interface Outcome {
  passed: string[];
  failed: { name: string; report: string }[];
}

/** Runs a program that replays scenarios, and parses its output for each scenario. */
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
      .map((block) => ({ name: /^not ok (\S+)/.exec(block)?.[1] ?? '', report: block })),
  };
}

/** A scenario with steps that may wait for one of several values. */
export interface WaitingScenario {
  readonly name: string;
  readonly steps: readonly { readonly until?: 'final' | Readonly<Record<string, unknown>> }[];
}

/**
 * A step that waits for one of several values has met one of them, which need not be the one that the recorded system had just then. So it is no
 * difference if another of them was met.
 */
export function withoutOtherWaits({ passed, failed }: Outcome, scenarios: readonly WaitingScenario[]): Outcome {
  const isOther = (name: string, problem: string) => {
    const [, number, path = '', wanted = '', got = ''] = DIFFERENCE.exec(problem) ?? [];
    const until = scenarios.find((each) => each.name === name)?.steps[Number(number) - 1]?.until;
    const values = typeof until === 'object' ? until[path] : undefined;
    return Array.isArray(values) && [wanted, got].every((value) => values.map((each) => JSON.stringify(each)).includes(value)); // oxfmt-ignore
  };
  const isRight = ({ name, report }: Outcome['failed'][number]) => {
    const problems = report.split('\n').filter((line) => line.startsWith('    '));
    return problems.length > 0 && problems.every((problem) => isOther(name, problem));
  };
  const right = failed.filter(isRight);
  return { passed: [...passed, ...right.map(({ name }) => name)], failed: failed.filter((each) => !right.includes(each)) }; // oxfmt-ignore
}

/** A line of the program that replays scenarios. */
const DIFFERENCE = / step (\d+) \(.*\): ([^:]+): expected (.+), got (.+)$/;
const LONGEST_REPORT = 1500;

/** Expects all listed scenarios to fail and all others to pass. */
export function expectOutcome(set: string, outcome: Outcome): void {
  const listed = notExpected(set);
  const unexpectedFailures = outcome.failed.filter(({ name }) => !listed.has(name));
  const unexpectedPasses = outcome.passed.filter((name) => listed.has(name));
  console.info(`${set}: ${outcome.passed.length} passed, ${listed.size} not expected to pass`);
  expect(unexpectedFailures.map(({ report }) => report.slice(0, LONGEST_REPORT))).toEqual([]);
  expect(unexpectedPasses).toEqual([]);
  expect(outcome.passed.length).toBeGreaterThan(0);
}
