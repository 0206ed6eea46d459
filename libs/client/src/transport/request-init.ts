import type { BasicCredentials, ClientOptions } from '../client-options';
import type { Call } from './call';

/** Where the service of a call is. */
export const baseOf = (options: ClientOptions, { service }: Call): string =>
  ({ api: options.apiUrl, auth: options.authUrl, stream: options.streamUrl })[service];

export function requestInit(options: ClientOptions, call: Call, limit: AbortSignal): RequestInit {
  return {
    method: call.method,
    headers: headersOf(options, call),
    // A redirection would carry the credentials to another host.
    redirect: 'manual',
    signal: call.signal ? AbortSignal.any([limit, call.signal]) : limit,
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  };
}

export function headersOf(options: ClientOptions, call: Call): Record<string, string> {
  const basic = call.login ?? options.basicAuth;
  return {
    accept: call.service === 'stream' ? 'text/event-stream' : 'application/json, text/plain',
    // Without a body too: servers that ask for no credentials refuse writes that a form of a website could have sent.
    ...(call.body === undefined && !WRITES.has(call.method) ? {} : { 'content-type': 'application/json' }),
    ...(basic ? { authorization: basicHeader(basic) } : {}),
    ...(call.login ? {} : credentialHeader(options)),
  };
}

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT']);

/** The services refuse requests with two kinds of credentials; a token comes first. */
function credentialHeader({ token, apiKey }: ClientOptions): Record<string, string> {
  if (token !== undefined) return { 'x-auth-token': token };
  return apiKey === undefined ? {} : { 'st2-api-key': apiKey };
}

const basicHeader = ({ user, password }: BasicCredentials): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
