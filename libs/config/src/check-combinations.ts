import { fault } from '@switchyard/base';
import type { Config } from './config';

/** Refuses values that are right one by one and wrong together. @throws config.conflict */
export function checkCombinations(config: Config): void {
  const broken = rules.find(({ isBroken }) => isBroken(config));
  if (broken) throw fault('config.conflict', { text: broken.text });
}

const rules: readonly { readonly text: string; readonly isBroken: (config: Config) => boolean }[] = [
  {
    // Browsers drop such a cookie.
    text: 'api.auth_cookie_same_site = none needs api.auth_cookie_secure = true',
    isBroken: ({ api }) => api.auth_cookie_same_site === 'none' && !api.auth_cookie_secure,
  },
  {
    text: 'instances.lease_ms must be at least twice instances.heartbeat_ms',
    isBroken: ({ instances }) => instances.lease_ms < 2 * instances.heartbeat_ms,
  },
];
