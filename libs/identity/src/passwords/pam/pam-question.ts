import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { fault, isPlainObject, KIB, SECOND_MS } from '@switchyard/base';
import { startProcess, type ChildRun, type ProcessResult } from '@switchyard/subprocess';

/** The input of the script, see `python/check_pam.py`. Secrets are in its input only, not in its arguments or
 * environment. */
export type PamQuestion =
  | { readonly ask: 'start'; readonly library: string; readonly service: string }
  | {
      readonly ask: 'login';
      readonly library: string;
      readonly service: string;
      readonly user: string;
      readonly password: string;
    }
  | { readonly ask: 'groups'; readonly user: string };

export type PamAnswer =
  | { readonly outcome: 'right'; readonly groups: readonly string[] }
  | { readonly outcome: 'wrong' | 'unavailable'; readonly reason: string };

/** Starts a process for each PAM check, because PAM modules block, keep state and may crash. */
export interface PamQuestions {
  /** @throws Fault `auth.busy` when too many checks are running */
  ask(question: PamQuestion): Promise<PamAnswer>;
  /** Ends all processes. */
  close(): Promise<void>;
}

const SCRIPT = resolve(__dirname, '../../../../../python/check_pam.py');
/** Isolated from the environment, from packages of the user, and from caches of compiled code. */
const ARGUMENTS = ['-I', '-S', '-B', SCRIPT];
/** PAM modules do not get the service's environment, which may contain secrets. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' };
/** Identifies programs of PAM modules that left the session of the process. */
const MARKER = 'SVC_PAM_QUESTION';
/** Each is a process of a few megabytes. */
const MOST_AT_ONCE = 8;
const GRACE_MS = SECOND_MS;
const MOST_OUTPUT_BYTES = 256 * KIB;
const START_MS = 20 * SECOND_MS;

export function pamQuestions(python: string, timeoutMs: number): PamQuestions {
  const running = new Set<ChildRun>();
  return {
    async ask(question) {
      if (running.size >= MOST_AT_ONCE) throw fault('auth.busy');
      const run = startProcess({
        command: { file: python, args: ARGUMENTS },
        cwd: '/',
        env: ENVIRONMENT,
        marker: { name: MARKER, value: randomUUID() },
        stdin: JSON.stringify(question),
        timeoutMs,
        graceMs: GRACE_MS,
        maxOutputBytes: MOST_OUTPUT_BYTES,
      });
      running.add(run);
      try {
        return answerOf(await run.result, timeoutMs);
      } finally {
        running.delete(run);
      }
    },
    async close() {
      const runs = [...running];
      for (const run of runs) run.end({ graceMs: GRACE_MS });
      await Promise.all(runs.map((run) => run.result));
    },
  };
}

/** Runs one check at the start and waits for its result. */
export function askAtStart(python: string, question: PamQuestion): PamAnswer {
  const { error, status, stdout } = spawnSync(python, ARGUMENTS, {
    cwd: '/',
    env: ENVIRONMENT,
    input: JSON.stringify(question),
    timeout: START_MS,
    stdio: ['pipe', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  if (error && 'code' in error && error.code === 'ENOENT') {
    return unavailable(`${python} is missing; install Python 3 (package python3)`);
  }
  return error ? unavailable(error.message) : (parsed(stdout) ?? unavailable(endedWith(status)));
}

function answerOf({ cause, exitCode, signal, stdout, spawnError }: ProcessResult, timeoutMs: number): PamAnswer {
  if (spawnError) return unavailable(spawnError.message);
  if (cause === 'timeout') return unavailable(`PAM did not respond within ${timeoutMs / SECOND_MS} seconds`);
  return parsed(stdout.text) ?? unavailable(endedWith(exitCode ?? signal));
}

const unavailable = (reason: string): PamAnswer => ({ outcome: 'unavailable', reason });
const endedWith = (end: number | string | null) => `check_pam.py ended with ${end} without a result`;

function parsed(text: string): PamAnswer | undefined {
  const answer = jsonOf(text);
  if (!isPlainObject(answer)) return undefined;
  const { outcome, reason, groups = [] } = answer;
  if (outcome === 'right' && Array.isArray(groups)) return { outcome, groups: groups.map(String) };
  if (outcome !== 'wrong' && outcome !== 'unavailable') return undefined;
  return typeof reason === 'string' ? { outcome, reason } : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
