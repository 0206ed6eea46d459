import { fault } from '@switchyard/base';
import type { Config } from '@switchyard/config';

/**
 * Refuses to start with what could not be done safely. In proxy mode the user's name comes in a header, which anybody who
 * reaches the port could send: there is no list of trusted proxies yet, so nobody is trusted.
 * @throws Fault `config.conflict`
 */
export function checkAuthConfig({ mode, sso, use_ssl: tls, cert, key }: Config['auth']): void {
  if (mode === 'proxy') {
    throw fault('config.conflict', { text: 'auth.mode = proxy is not available: no proxy is known to be trusted' });
  }
  if (sso) throw fault('config.conflict', { text: 'auth.sso = true is not available: there is no backend for it' });
  if (tls && (!cert || !key)) throw fault('config.conflict', { text: 'auth.use_ssl needs auth.cert and auth.key' });
}
