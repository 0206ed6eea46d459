import { constants } from 'node:os';
import { assertNever, type DataLimits } from '@switchyard/base';
import type { ProcessResult } from '@switchyard/subprocess';
import { returnedValue } from '../returned-value';
import { LOST_PROCESS } from '../run-process';
import type { RunResult } from '../runner-plugin';

/** The return message of the Python side. */
interface Returned {
  readonly status: boolean | null;
  readonly result: unknown;
}

/** The end of a run. */
export interface PythonEnd {
  readonly ended: ProcessResult;
  /** The result line, see `ResultLine`. */
  readonly line: string | undefined;
  /** Why the run failed for reasons outside of its process. */
  readonly failure?: string;
  readonly timeoutSeconds: number;
  readonly limits: DataLimits;
}

/** The exit code that clients expect for a timeout. */
const TIMED_OUT = -9;
/** Exit code of the Python side when an action returns a pair whose first item is not a boolean. */
const INVALID_STATUS = 220;
const NOT_FOUND = 127;
/** The text that clients expect when there is no result. */
const NO_RESULT = 'None';

/** Builds the result of a Python action. */
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

/** The format written by `run_action.py`. */
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
    case 'lost':
      return 'abandoned';
    default:
      return assertNever(ended.cause);
  }
}

function exitCodeOf({ cause, exitCode, signal }: ProcessResult): number {
  if (cause === 'timeout') return TIMED_OUT;
  if (cause === 'spawn-error' || cause === 'lost') return NOT_FOUND;
  return exitCode ?? (signal === null ? 0 : -constants.signals[signal]);
}

function errorOf({ ended, failure, timeoutSeconds }: PythonEnd, exitCode: number): string | undefined {
  if (failure !== undefined) return failure;
  if (ended.cause === 'timeout') return `Action failed to complete in ${timeoutSeconds} seconds`;
  if (ended.cause === 'spawn-error') return ended.spawnError?.message ?? 'The interpreter could not be started.';
  if (ended.cause === 'lost') return LOST_PROCESS;
  if (exitCode === INVALID_STATUS) return ended.stderr.text;
  return undefined;
}
