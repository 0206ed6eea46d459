import { hostname } from 'node:os';
import type { Config } from './config';

/** Public addresses, without trailing slash, for links and for the environment of actions. */
export interface Addresses {
  /** The API, without version. */
  readonly api: string;
  readonly webConsole: string;
}

export function addresses({ api, auth, webui }: Pick<Config, 'api' | 'auth' | 'webui'>): Addresses {
  return {
    api: withoutSlash(auth.api_url ?? `http://${api.host}:${api.port}`),
    webConsole: withoutSlash(webui.webui_base_url ?? `https://${hostname()}`),
  };
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
