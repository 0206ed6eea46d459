import { messageOf } from '@switchyard/base';
import type { RunAbilities, RunHandle, RunnerPlugin, RunRequest, RunResult, RunnerDeclaration } from '../runner-plugin';
import { exchange } from './exchange';
import { httpResult } from './http-result';
import { requestSettings, timeoutOf } from './http-settings';

const hosts = { type: 'array', items: { type: 'string' }, required: false } as const;

const manifest: RunnerDeclaration = {
  name: 'http-request',
  description: 'Sends an HTTP request.',
  enabled: true,
  runner_package: 'http-request',
  runner_module: 'http-request',
  runner_parameters: {
    url: { type: 'string', description: 'URL of the request.', required: true },
    headers: { type: 'object', description: 'Header fields of the request, by name.' },
    cookies: { type: 'object', description: 'Cookies for the host of the URL, by name.' },
    username: { type: 'string', description: 'Name for basic authentication.' },
    password: { type: 'string', description: 'Password for basic authentication.', secret: true },
    allow_redirects: { type: 'boolean', description: 'Follow redirects.', default: false },
    verify_ssl_cert: {
      type: 'boolean',
      description: 'Verify the certificate of the server.',
      default: true,
    },
    http_proxy: { type: 'string', description: 'URL of the proxy for http URLs.' },
    https_proxy: { type: 'string', description: 'URL of the proxy for https URLs.' },
    url_hosts_blacklist: { ...hosts, description: 'Hosts that requests must not reach, redirects included.' },
    url_hosts_whitelist: { ...hosts, description: 'The only hosts that requests may reach, redirects included.' },
  },
  output_key: 'body',
  output_schema: {
    type: 'object',
    properties: {
      status_code: { type: 'integer' },
      body: {
        anyOf: [
          { type: 'object' },
          { type: 'string' },
          { type: 'integer' },
          { type: 'number' },
          { type: 'boolean' },
          { type: 'array' },
          { type: 'null' },
        ],
      },
      parsed: { type: 'boolean' },
      headers: { type: 'object' },
    },
    additionalProperties: false,
  },
};

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
  const settings = requestSettings(request, config.environment);
  return exchange(settings, signal, (answer, hop) => httpResult(answer, hop, config));
}

/** If the run was stopped, the reason determines the result, whatever error it caused. */
function failure(thrown: unknown, { aborted, reason }: AbortSignal, timeoutMs: number): RunResult {
  if (!aborted) return { status: 'failed', result: { error: messageOf(thrown) } };
  return (reason as Stop) === 'canceled'
    ? { status: 'canceled', result: { error: 'The request was canceled.' } }
    : { status: 'timeout', result: { error: `Action failed to complete in ${timeoutMs / 1000} seconds` } };
}
