import { constants } from 'node:os';
import { assertNever, type DataLimits } from '@switchyard/base';
import type { ProcessResult } from '@switchyard/subprocess';
import { returnedValue } from '../returned-value';
import type { RunResult } from '../runner-plugin';

/** What the Python side tells of an action that returned. */
interface Returned {
  readonly status: boolean | null;
  readonly result: unknown;
}

/** How a run went, besides what its process tells. */
export interface PythonEnd {
  readonly ended: ProcessResult;
  /** The line about the result, see `ResultLine`. */
  readonly line: string | undefined;
  /** Why the run failed, when that was not the doing of its process. */
  readonly failure?: string;
  readonly timeoutSeconds: number;
  readonly limits: DataLimits;
}

/** What clients know as the exit code of a run whose time was up. */
const TIMED_OUT = -9;
/** How the Python side exits when an action returns a pair that does not begin with a truth value. */
const INVALID_STATUS = 220;
const NOT_FOUND = 127;
/** What stands for the result where there is none. Clients know this text. */
const NO_RESULT = 'None';

/** The end of a Python action in the form of section 11.3 of the interface sheet "execution". */
export async function pythonResult(end: PythonEnd): Promise<RunResult> {
  const { stdout, stderr } = end.ended;
  const returned = end.line === undefined ? undefined : await readLine(end.line, end.limits);
  const exitCode = exitCodeOf(end.ended);
  const error = errorOf(end, exitCode);
  return {
    status: statusOf(end, returned),
    result: {
      stdout: stdout.text,
      stderr: stderr.text,
      exit_code: exitCode,
      result: returned === undefined ? NO_RESULT : returned.result,
      ...(error !== undefined && { error }),
    },
    truncated: stdout.truncated || stderr.truncated,
  };
}

/** As `run_action.py` writes it. */
const HEAD = /^\{"status":(true|false|null),"result":/;

async function readLine(line: string, limits: DataLimits): Promise<Returned> {
  const [head = '', status = ''] = HEAD.exec(line) ?? [];
  return { status: JSON.parse(status) as Returned['status'], result: await returnedValue(line, head, limits) };
}

function statusOf({ ended, failure }: PythonEnd, returned: Returned | undefined): RunResult['status'] {
  if (failure !== undefined) return 'failed';
  switch (ended.cause) {
    case 'exit':
      return ended.exitCode === 0 && returned?.status !== false ? 'succeeded' : 'failed';
    case 'signal':
    case 'spawn-error':
      return 'failed';
    case 'timeout':
      return 'timeout';
    case 'cancel':
      return 'canceled';
    default:
      return assertNever(ended.cause);
  }
}

function exitCodeOf({ cause, exitCode, signal }: ProcessResult): number {
  if (cause === 'timeout') return TIMED_OUT;
  if (cause === 'spawn-error') return NOT_FOUND;
  return exitCode ?? (signal === null ? 0 : -constants.signals[signal]);
}

function errorOf({ ended, failure, timeoutSeconds }: PythonEnd, exitCode: number): string | undefined {
  if (failure !== undefined) return failure;
  if (ended.cause === 'timeout') return `Action failed to complete in ${timeoutSeconds} seconds`;
  if (ended.cause === 'spawn-error') return ended.spawnError?.message ?? 'The interpreter could not be started.';
  if (exitCode === INVALID_STATUS) return ended.stderr.text;
  return undefined;
}
