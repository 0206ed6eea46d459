import type { BasicCredentials, ClientOptions } from '../client-options';

/** A login within an address (`https://user:password@host`), which fetch refuses, is sent as any other one. */
export function withoutUserinfo(options: ClientOptions): ClientOptions {
  const [apiUrl, authUrl, streamUrl] = [options.apiUrl, options.authUrl, options.streamUrl].map(splitAddress);
  if (!apiUrl || !authUrl || !streamUrl) return options;
  const basicAuth = options.basicAuth ?? apiUrl.login ?? authUrl.login ?? streamUrl.login;
  return { ...options, basicAuth, apiUrl: apiUrl.address, authUrl: authUrl.address, streamUrl: streamUrl.address };
}

function splitAddress(url: string): { address: string; login?: BasicCredentials } {
  if (!URL.canParse(url)) return { address: url };
  const parts = new URL(url);
  if (parts.username === '') return { address: url };
  const login = { user: decodeURIComponent(parts.username), password: decodeURIComponent(parts.password) };
  parts.username = parts.password = '';
  return { address: parts.href, login };
}
