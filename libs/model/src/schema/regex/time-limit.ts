import { createContext, Script, type Context } from 'node:vm';
import { ownProcessorClock } from '@switchyard/base';

let script: Script | undefined;
let sandbox: (Context & { regexp?: RegExp; text?: string }) | undefined;

/** How often an expression may start again, each time with twice the time, because other programs had the processor. */
const MOST_RETRIES = 5;
/** The share of its time that an expression must have had before it counts as too slow. */
const ENOUGH = 0.8;

/**
 * Runs an expression for at most `limitMs`, or somewhat longer if the process did not get the processor. A backtracking matcher
 * honours V8's interrupts, which `vm` can request. The rest of the process waits meanwhile.
 */
export function execWithin(regexp: RegExp, text: string, limitMs: number): RegExpExecArray | null | 'timeout' {
  for (let retry = 0; ; retry++) {
    const before = spentMs();
    const found = execOnce(regexp, text, limitMs * 2 ** retry);
    if (found !== 'timeout' || retry === MOST_RETRIES || spentMs() - before >= limitMs * ENOUGH) return found;
  }
}

let clock: (() => number) | undefined;

/** The processor time of this thread; of the process, with all of its threads, where that is unknown. */
function spentMs(): number {
  clock ??= ownProcessorClock() ?? ofProcess;
  return clock();
}

function ofProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function execOnce(regexp: RegExp, text: string, timeoutMs: number): RegExpExecArray | null | 'timeout' {
  const from = regexp.lastIndex;
  script ??= new Script('regexp.exec(text)');
  sandbox ??= createContext({});
  sandbox.regexp = regexp;
  sandbox.text = text;
  try {
    return script.runInContext(sandbox, { timeout: timeoutMs }) as RegExpExecArray | null;
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
