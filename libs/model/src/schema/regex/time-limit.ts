import { createContext, Script, type Context } from 'node:vm';
import { ownProcessorClock } from '@switchyard/base';
import { withSpareDescriptors } from './spare-descriptors';

let script: Script | undefined;
let sandbox: (Context & { regexp?: RegExp; text?: string }) | undefined;

/** How often an expression may start again because other programs had the processor. */
const MOST_RETRIES = 30;
/** The share of its time that an expression must have had in one attempt before it counts as too slow. */
const ENOUGH = 0.8;
/** What all attempts together may take, because the rest of the process waits meanwhile: less than 100 ms for usual limits. */
const IN_ALL = { ms: 80, share: 1.6 };
/** With less time left, another attempt is not worth it. */
const LEAST = 0.2;

/**
 * Runs an expression for at most `limitMs` of processor time, or somewhat longer if the process did not get the processor. A backtracking
 * matcher honours V8's interrupts, which `vm` can request. The rest of the process waits meanwhile.
 */
export function execWithin(regexp: RegExp, text: string, limitMs: number): RegExpExecArray | null | 'timeout' {
  const attempts: number[] = [];
  for (
    let timeoutMs: number | undefined = limitMs;
    timeoutMs !== undefined;
    timeoutMs = nextTimeout(limitMs, attempts)
  ) {
    const before = spentMs();
    const found = execOnce(regexp, text, timeoutMs);
    if (found !== 'timeout') return found;
    attempts.push(spentMs() - before);
  }
  return 'timeout';
}

/**
 * How long an expression may take that has exceeded its time. This is time on the clock, and the attempt may have the processor all the time:
 * so it gets twice the time of the attempt before it, but not more than is left of the processor time for all attempts.
 * @param attempts the processor time of each attempt
 * @returns undefined if it is too slow
 */
export function nextTimeout(limitMs: number, attempts: readonly number[]): number | undefined {
  const allMs = Math.max(IN_ALL.ms, limitMs * IN_ALL.share);
  const leftMs = allMs - attempts.reduce((sum, spent) => sum + spent, 0);
  const hadEnough = (attempts.at(-1) ?? 0) >= limitMs * ENOUGH;
  if (hadEnough || leftMs < limitMs * LEAST || attempts.length > MOST_RETRIES) return undefined;
  return Math.ceil(Math.min(limitMs * 2 ** attempts.length, leftMs));
}

let clock: (() => number) | undefined;

/** The processor time of this thread. Where the system does not report it, that of all threads of the process. */
function spentMs(): number {
  clock ??= ownProcessorClock() ?? ofProcess;
  return clock();
}

function ofProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Node.js aborts the process if it cannot open the descriptors of the watchdog. */
function execOnce(regexp: RegExp, text: string, timeoutMs: number): RegExpExecArray | null | 'timeout' {
  const from = regexp.lastIndex;
  const compiled = (script ??= new Script('regexp.exec(text)'));
  const context = (sandbox ??= createContext({}));
  sandbox.regexp = regexp;
  sandbox.text = text;
  try {
    return withSpareDescriptors(() => compiled.runInContext(context, { timeout: timeoutMs }) as RegExpExecArray | null);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      regexp.lastIndex = from;
      return 'timeout';
    }
    throw thrown;
  } finally {
    delete sandbox.regexp;
    delete sandbox.text;
  }
}
