import { constants } from 'node:os';
import { assertNever, type DataLimits } from '@switchyard/base';
import type { ProcessResult } from '@switchyard/subprocess';
import type { RunResult } from '../runner-plugin';
import { outputValue } from './json-output';
import type { ShellSettings } from './shell-parameters';

type Verdict = Pick<RunResult, 'status'> & { readonly returnCode: number; readonly error?: string };

/** The exit codes of shells for commands that cannot be started. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
/** The return codes that clients expect for a timeout and for a wrong password. */
const TIMED_OUT = -9;
const WRONG_PASSWORD = -1;

/** Builds the result of a shell command (interface sheet "execution", section 9). */
export async function shellResult(
  ended: ProcessResult,
  settings: ShellSettings,
  serviceUser: string,
  limits: DataLimits,
): Promise<RunResult> {
  const { status, returnCode, error } = wrongPassword(ended, settings, serviceUser) ?? verdict(ended, settings);
  const { stdout, stderr } = ended;
  return {
    status,
    result: {
      failed: status !== 'succeeded',
      succeeded: status === 'succeeded',
      return_code: returnCode,
      stdout: await outputValue(stdout.text, stdout.truncated, limits),
      stderr: await outputValue(stderr.text, stderr.truncated, limits),
      ...(error !== undefined && { error }),
    },
    truncated: stdout.truncated || stderr.truncated,
  };
}

function verdict(ended: ProcessResult, settings: ShellSettings): Verdict {
  switch (ended.cause) {
    case 'exit':
      return { status: ended.exitCode === 0 ? 'succeeded' : 'failed', returnCode: ended.exitCode ?? NOT_EXECUTABLE };
    case 'signal':
      // Killed from outside, for example by a shutdown: how far it got is unknown.
      return { status: ended.signal === 'SIGTERM' ? 'abandoned' : 'failed', returnCode: codeOf(ended) };
    case 'timeout':
      return {
        status: 'timeout',
        returnCode: TIMED_OUT,
        error: `Action failed to complete in ${settings.timeoutSeconds} seconds`,
      };
    case 'cancel':
      return { status: 'canceled', returnCode: codeOf(ended) };
    case 'spawn-error':
      return spawnVerdict(ended);
    default:
      return assertNever(ended.cause);
  }
}

function spawnVerdict({ spawnError }: ProcessResult): Verdict {
  const returnCode = spawnError?.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE;
  return { status: 'failed', returnCode, error: spawnError?.message ?? 'The command could not be started.' };
}

const codeOf = ({ exitCode, signal }: ProcessResult): number =>
  exitCode ?? (signal === null ? 0 : -constants.signals[signal]);

const REFUSALS = /sudo: \d+ incorrect password attempts?|sudo: .*password is required|is not in the sudoers file/;

function wrongPassword(ended: ProcessResult, settings: ShellSettings, serviceUser: string): Verdict | undefined {
  if (settings.sudoPassword === undefined || ended.exitCode === 0 || !REFUSALS.test(ended.stderr.text))
    return undefined;
  const error = `Invalid sudo password provided or sudo is not configured for this user (${serviceUser})`;
  return { status: 'failed', returnCode: WRONG_PASSWORD, error };
}
