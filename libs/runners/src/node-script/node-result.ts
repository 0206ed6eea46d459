import { constants } from 'node:os';
import { assertNever } from '@switchyard/base';
import type { ProcessResult } from '@switchyard/subprocess';
import { LOST_PROCESS } from '../run-process';
import type { RunResult } from '../runner-plugin';
import type { HeardMessage } from './conversation';

type Verdict = Pick<RunResult, 'status'> & { readonly exitCode: number; readonly error?: string };

/** The exit code that clients expect for a timeout. */
const TIMED_OUT = -9;
const NOT_STARTED = 127;

/** Converts the end of a Node.js process to the result form of Python actions. */
export function nodeResult(ended: ProcessResult, heard: HeardMessage, timeoutSeconds: number): RunResult {
  const { status, exitCode, error } = verdict(ended, heard, timeoutSeconds);
  const { stdout, stderr } = ended;
  const result = heard.outcome?.result ?? null;
  return {
    status,
    result: {
      stdout: stdout.text,
      stderr: stderr.text,
      exit_code: exitCode,
      result,
      ...(error !== undefined && { error }),
    },
    truncated: stdout.truncated || stderr.truncated,
  };
}

function verdict(ended: ProcessResult, { outcome, problem }: HeardMessage, timeoutSeconds: number): Verdict {
  const exitCode = codeOf(ended);
  switch (ended.cause) {
    case 'exit': {
      const succeeded = exitCode === 0 && outcome?.succeeded !== false && problem === undefined;
      return { status: succeeded ? 'succeeded' : 'failed', exitCode, ...(problem !== undefined && { error: problem }) };
    }
    case 'signal':
      // Killed from outside, for example by a shutdown: how far it got is unknown.
      return { status: ended.signal === 'SIGTERM' ? 'abandoned' : 'failed', exitCode };
    case 'timeout':
      return {
        status: 'timeout',
        exitCode: TIMED_OUT,
        error: `Action failed to complete in ${timeoutSeconds} seconds`,
      };
    case 'cancel':
      return { status: 'canceled', exitCode };
    case 'lost':
      return { status: 'abandoned', exitCode: NOT_STARTED, error: LOST_PROCESS };
    case 'spawn-error':
      return {
        status: 'failed',
        exitCode: NOT_STARTED,
        error: ended.spawnError?.message ?? 'Node.js could not be started.',
      };
    default:
      return assertNever(ended.cause);
  }
}

const codeOf = ({ exitCode, signal }: ProcessResult): number =>
  exitCode ?? (signal === null ? 0 : -constants.signals[signal]);
