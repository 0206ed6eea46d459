import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, isPlainObject, SECOND_MS, type Backoff } from '@switchyard/base';
import { MASK, maskNames, maskQuery } from '@switchyard/model';
import { ApiError, ConnectionError } from '../api-error';
import type { BasicCredentials, ClientOptions } from '../client-options';
import { callUrl, plainAddress, type Call } from './call';
import { connectionReason } from './connection-reason';
import { fetchFunction } from './fetch-function';

const DEFAULT_TIMEOUT_MS = 60 * SECOND_MS;
/** Repetitions of a GET that got no answer. Anything else may have had its effect, and is never repeated. */
const RETRIES = 2;
const RETRY: Backoff = { initialMs: 150, factor: 3, maxMs: SECOND_MS };

/** Sends calls. All methods throw ApiError for answers of 400 and above, ConnectionError when there is no answer. */
export interface Transport {
  /** The parsed body and the headers. An empty body is undefined. */
  json<T>(call: Call): Promise<{ body: T; headers: Headers }>;
  text(call: Call): Promise<string>;
  /** The answer as soon as it begins; its body is left to the caller, who ends it with the call's signal. */
  open(call: Call): Promise<Response>;
}

export function createTransport(options: ClientOptions): Transport {
  const sender = createSender(options);
  return {
    async json<T>(call: Call) {
      const { text, response } = await sender.whole(call);
      return { body: parsed(text, response.status) as T, headers: response.headers };
    },
    text: async (call) => (await sender.whole(call)).text,
    open: (call) => sender.begin(call),
  };
}

function createSender(options: ClientOptions) {
  const send = fetchFunction(options);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;

  async function attempt<T>(call: Call, read: (response: Response, url: string) => Promise<T>): Promise<T> {
    const url = callUrl(baseOf(options, call), call);
    for (let failures = 1; ; failures++) {
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), timeoutMs);
      try {
        return await read(await send(url, requestInit(options, call, limit.signal)), url);
      } catch (error) {
        if (call.signal?.aborted || error instanceof ApiError || error instanceof ConnectionError) throw error;
        const reason = limit.signal.aborted ? `no answer within ${timeoutMs / SECOND_MS} s` : connectionReason(error);
        const failure = new ConnectionError(plainAddress(baseOf(options, call)), reason, error);
        if (call.method !== 'GET' || limit.signal.aborted || failures > RETRIES) throw failure;
      } finally {
        clearTimeout(timer);
      }
      await sleep(backoffMs(RETRY, failures), undefined, call.signal ? { signal: call.signal } : {});
    }
  }

  return {
    whole: (call: Call) => {
      const answered = observe(options, call);
      return attempt(call, async (response) => {
        const text = await response.text();
        answered(response.status, text);
        if (!response.ok) throw apiError(response, text, secretsOf(options, call));
        return { text, response };
      });
    },
    begin: (call: Call) => {
      const answered = observe(options, call);
      return attempt(call, async (response) => {
        answered(response.status);
        if (response.ok) return response;
        throw apiError(response, await response.text(), secretsOf(options, call));
      });
    },
  };
}

const baseOf = (options: ClientOptions, { service }: Call): string =>
  ({ api: options.apiUrl, auth: options.authUrl, stream: options.streamUrl })[service];

function requestInit(options: ClientOptions, call: Call, limit: AbortSignal): RequestInit {
  return {
    method: call.method,
    headers: headersOf(options, call),
    // A redirection would carry the credentials to another host.
    redirect: 'manual',
    signal: call.signal ? AbortSignal.any([limit, call.signal]) : limit,
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  };
}

function headersOf(options: ClientOptions, call: Call): Record<string, string> {
  const basic = call.login ?? options.basicAuth;
  return {
    accept: call.service === 'stream' ? 'text/event-stream' : 'application/json, text/plain',
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(basic ? { authorization: basicHeader(basic) } : {}),
    ...(call.login ? {} : credentialHeader(options)),
  };
}

/** The services refuse requests with two kinds of credentials; a token comes first. */
function credentialHeader({ token, apiKey }: ClientOptions): Record<string, string> {
  if (token !== undefined) return { 'x-auth-token': token };
  return apiKey === undefined ? {} : { 'st2-api-key': apiKey };
}

const basicHeader = ({ user, password }: BasicCredentials): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const secretsOf = (options: ClientOptions, call: Call): string[] =>
  [options.token, options.apiKey, options.basicAuth?.password, call.login?.password, ...(call.secrets ?? [])].filter(
    (secret): secret is string => Boolean(secret),
  );

const scrubbed = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK).replaceAll(encodeURIComponent(secret), MASK), text);

function apiError(response: Response, text: string, secrets: readonly string[]): ApiError {
  const { status, statusText } = response;
  if (status < 400) {
    const target = plainAddress(response.headers.get('location') ?? '');
    return new ApiError(status, `The address answers with a redirection to ${target}. Configure that one instead.`);
  }
  const fault: unknown = safeParse(text);
  const stated = isPlainObject(fault) && typeof fault['faultstring'] === 'string' ? fault['faultstring'] : undefined;
  return new ApiError(status, scrubbed(stated || statusText || `HTTP status ${status}`, secrets));
}

function parsed(text: string, status: number): unknown {
  if (text.trim() === '') return undefined;
  const value = safeParse(text);
  if (value !== undefined) return value;
  throw new ApiError(status, 'The answer is not JSON. Is this the address of the service?');
}

function safeParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** How API keys and their hashes are called in bodies. */
const KEY_NAMES = ['key', 'key_hash'];

/** Tells the observer of a request; what it returns tells it of the answer. */
function observe(options: ClientOptions, call: Call): (status: number, text?: string) => void {
  const { observer } = options;
  if (!observer) return () => undefined;
  const { method } = call;
  const secrets = secretsOf(options, call);
  const url = scrubbed(maskQuery(callUrl(baseOf(options, call), call)), secrets);
  const body = call.body === undefined ? {} : { body: maskNames(call.body, KEY_NAMES) };
  observer.request?.({ method, url, headers: maskNames(headersOf(options, call)), ...body });
  const start = performance.now();
  return (status, text) => {
    const durationMs = Math.round(performance.now() - start);
    const answer = text === undefined ? {} : { body: maskNames(safeParse(text) ?? scrubbed(text, secrets), KEY_NAMES) };
    observer.answer?.({ method, url, status, durationMs, ...answer });
  };
}
