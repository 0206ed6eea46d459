import { parseArgs } from 'node:util';
import type { RunOptions } from './round-record';

export interface FaultArguments extends RunOptions {
  /** The number of rounds of this run, which ends earlier after `minutes`. */
  readonly rounds: number;
  readonly minutes: number;
  /** The number of the first round; by default the one after those of the record. */
  readonly first: number | undefined;
  /** The file of the record. */
  readonly record: string | undefined;
}

const OPTIONS = {
  target: { type: 'string', default: 'embedded' },
  scenario: { type: 'string', default: 'load' },
  scale: { type: 'string' },
  seed: { type: 'string', default: '1' },
  rounds: { type: 'string' },
  minutes: { type: 'string' },
  first: { type: 'string' },
  fault: { type: 'string' },
  record: { type: 'string' },
} as const;

const ROUNDS = 3;

/** The default scale. `load` has none. */
const SCALES: Readonly<Record<string, number>> = { webhooks: 1000, workflows: 20, cancels: 2000 };

/**
 * Parses the arguments.
 * @param scenarios the targets of each scenario @throws Error naming the invalid argument
 */
export function readFaultArguments(
  args: readonly string[],
  scenarios: Readonly<Record<string, readonly string[]>>,
): FaultArguments {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const { target, scenario, minutes, first, fault = '', record } = values;
  oneOf('scenario', scenario, Object.keys(scenarios));
  oneOf('target', target, scenarios[scenario] ?? []);
  const isLoad = scenario === 'load';
  if (isLoad && values.scale !== undefined) throw new Error('--scale: the scenario load has none');
  if (!isLoad && fault !== '') throw new Error('--fault: only the scenario load has several kinds of faults');
  return {
    target,
    scenario,
    fault,
    scale: wholeNumber('scale', values.scale ?? String(SCALES[scenario] ?? 1), 1),
    seed: wholeNumber('seed', values.seed),
    rounds: values.rounds === undefined ? (minutes === undefined ? ROUNDS : Infinity) : wholeNumber('rounds', values.rounds, 1), // oxfmt-ignore
    minutes: minutes === undefined ? Infinity : wholeNumber('minutes', minutes, 1),
    first: first === undefined ? undefined : wholeNumber('first', first, 1),
    record,
  };
}

function oneOf(option: string, given: string, known: readonly string[]): void {
  if (!known.includes(given)) throw new Error(`--${option}: expected ${known.join(' or ')}, got "${given}"`);
}

function wholeNumber(option: string, given: string, least = -Infinity): number {
  const number = Number(given);
  if (Number.isInteger(number) && number >= least) return number;
  throw new Error(
    `--${option}: expected a whole number${least > -Infinity ? ` of ${least} or more` : ''}, got "${given}"`,
  );
}
