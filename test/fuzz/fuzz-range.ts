import { cpuTimeMs } from '@switchyard/testkit/cpu-time';
import type { FuzzTarget } from './fuzz-target';
import { inputOf } from './inputs';

/** An input that broke a parser. */
export interface Finding {
  readonly index: number;
  readonly kind: 'crash' | 'slow';
  /** The error and the first line of this repository in its stack, or the CPU time it took. */
  readonly what: string;
  readonly input: string;
}

export interface RangeOutcome {
  readonly values: number;
  readonly refusals: number;
  readonly slowestMs: number;
  readonly findings: readonly Finding[];
}

/** CPU time. A parser that takes longer for one input blocks its whole process. */
export const SLOW_MS = 2_000;

/**
 * Gives a parser the inputs `from` to `to` (exclusive).
 * @param begin called before each input, so that the supervisor can see where it got stuck
 */
export function fuzzRange(
  target: FuzzTarget,
  seed: number,
  [from, to]: readonly [from: number, to: number],
  begin: (index: number) => void = () => undefined,
): RangeOutcome {
  const findings: Finding[] = [];
  let [values, refusals, slowestMs] = [0, 0, 0];
  for (let index = from; index < to; index += 1) {
    begin(index);
    const input = inputOf(target, seed, index);
    const start = cpuTimeMs();
    const crash = attempt(target, input);
    const took = cpuTimeMs() - start;
    slowestMs = Math.max(slowestMs, took);
    if (took > SLOW_MS) findings.push({ index, kind: 'slow', what: `took ${Math.round(took)} ms`, input });
    if (crash !== undefined && crash !== REFUSED) findings.push({ index, kind: 'crash', what: crash, input });
    if (crash === REFUSED) refusals += 1;
    else values += 1;
  }
  return { values, refusals, slowestMs, findings };
}

const REFUSED = 'refused';

function attempt({ run, isRefusal }: FuzzTarget, input: string): string | undefined {
  try {
    run(input);
    return undefined;
  } catch (thrown) {
    return isRefusal(thrown) ? REFUSED : describe(thrown);
  }
}

function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `threw ${typeof thrown}`;
  const frame = /^\s+at .*(?:libs|services)[/\\].*$/m.exec(thrown.stack ?? '')?.[0].trim() ?? '';
  return `${thrown.name}: ${thrown.message.slice(0, 120)} ${frame.replace(/\(?\/.*?\/(?=libs\/|services\/)/, '(')}`;
}
