import { messageOf } from '@switchyard/base';
import type { RunAbilities, RunHandle, RunnerPlugin, RunRequest, RunResult } from '../runner-plugin';
import { exchange } from './exchange';
import { httpResult } from './http-result';
import { httpSettings, timeoutOf } from './http-settings';
import { manifest } from './manifest';

/** Sends one HTTP request for each run. */
export const httpRequest: RunnerPlugin = { manifest, startsProcess: false, run };

type Stop = 'canceled' | 'timeout';

function run(request: RunRequest, abilities: RunAbilities): RunHandle {
  const stop = new AbortController();
  const end = (cause: Stop) => stop.abort(cause);
  const timeoutMs = timeoutOf(request);
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  const result = perform(request, abilities, stop.signal)
    .catch((thrown: unknown) => failure(thrown, stop.signal, timeoutMs))
    .finally(() => clearTimeout(timer));
  return { result, cancel: () => end('canceled') };
}

async function perform(request: RunRequest, { config }: RunAbilities, signal: AbortSignal): Promise<RunResult> {
  const settings = httpSettings(request, config.environment);
  return exchange(settings, signal, (answer, hop) => httpResult(answer, hop, config));
}

/** What stopped the run decides, whatever error it led to. */
function failure(thrown: unknown, { aborted, reason }: AbortSignal, timeoutMs: number): RunResult {
  if (!aborted) return { status: 'failed', result: { error: messageOf(thrown) } };
  return (reason as Stop) === 'canceled'
    ? { status: 'canceled', result: { error: 'The request was canceled.' } }
    : { status: 'timeout', result: { error: `Action failed to complete in ${timeoutMs / 1000} seconds` } };
}
