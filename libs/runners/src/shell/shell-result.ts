import { constants } from 'node:os';
import {
  assertNever,
  type DataLimits,
  KIB,
  boundedText,
  endOfText,
  isFault,
  keptAsText,
  parseLargeJson,
  slices,
} from '@switchyard/base';
import type { ProcessResult } from '@switchyard/subprocess';
import { LOST_PROCESS } from '../run-process';
import type { RunResult } from '../runner-plugin';
import type { ShellSettings } from './shell-command';

type Verdict = Pick<RunResult, 'status'> & { readonly returnCode: number; readonly error?: string };

/** The exit codes of shells for commands that cannot be started. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
/** The return codes that clients expect for a timeout and for a wrong password. */
const TIMED_OUT = -9;
const WRONG_PASSWORD = -1;

/** Builds the result of a shell command. */
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
    case 'lost':
      return { status: 'abandoned', returnCode: NOT_EXECUTABLE, error: LOST_PROCESS };
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

/**
 * Converts output to its form in results: without one final line break, and parsed if it is JSON. Output over a limit stays
 * text, with a note at its end.
 */
export async function outputValue(text: string, isTruncated: boolean, limits: DataLimits): Promise<unknown> {
  const trimmed = without('\r', without('\n', text));
  // Other work runs between the steps for a long text, each of which takes several milliseconds.
  if (trimmed.length > AT_ONCE) await slices().pause();
  if (isTruncated || !mayBeJson(trimmed)) return boundedText(trimmed, limits);
  try {
    // Keep the text if a number would lose precision.
    const isExact = (await inexactNumbers(trimmed)).length === 0;
    return isExact ? await parseLargeJson(trimmed, limits) : boundedText(trimmed, limits);
  } catch (error) {
    return isFault(error) ? keptAsText(trimmed, error.message, limits) : boundedText(trimmed, limits);
  }
}

const without = (end: string, text: string): string => (text.endsWith(end) ? text.slice(0, -end.length) : text);

/** Avoids parsing long outputs that are not JSON. */
const mayBeJson = (text: string): boolean => /^\s*(?:[[{"\d-]|true|false|null)/.test(text);

/** Avoids checking each number of most texts. */
const mayBeInexact = (json: string): boolean => /\d{16}|[eE]\+?\d{3}/.test(json);

/** Whether a number would lose precision. */
function isInexact(token: string): boolean {
  const value = Number(token);
  return !Number.isFinite(value) || (/^-?\d+$/.test(token) && !Number.isSafeInteger(value));
}

/** The position of a number in a text. */
interface NumberPlace {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Texts up to this length are cheap to check. */
const AT_ONCE = 64 * KIB;

/** The numbers of a JSON text that would lose precision, such as ids of twenty digits. */
export async function inexactNumbers(json: string): Promise<NumberPlace[]> {
  if (!mayBeInexact(json)) return [];
  const found: NumberPlace[] = [];
  const turn = slices();
  let pause = AT_ONCE;
  for (let at = 0; at < json.length; at++) {
    if (at > pause) {
      await turn.next();
      pause = at + AT_ONCE;
    }
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at + 1);
    if (code !== MINUS && (code < ZERO || code > NINE)) continue;
    NUMBER.lastIndex = at;
    const token = NUMBER.exec(json)?.[0];
    if (token === undefined) continue;
    if (isInexact(token)) found.push({ start: at, end: at + token.length });
    at += token.length - 1;
  }
  return found;
}

const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
