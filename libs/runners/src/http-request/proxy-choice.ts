import { fault, messageOf } from '@switchyard/base';
import { maskedUrl } from './url-text';

/** Chooses the proxy for a URL, if any. */
export interface ProxyChoice {
  for(url: URL): URL | undefined;
}

/**
 * Proxies named by an action win. Otherwise those of the environment apply (`http_proxy`, `https_proxy`, `all_proxy`, in
 * either case), except for hosts in `no_proxy`. @throws Fault `runner.http-proxy`
 */
export function proxyChoice(
  parameters: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string>>,
): ProxyChoice {
  const variable = (name: string) => environment[name] || environment[name.toUpperCase()];
  const named = { 'http:': parameters['http_proxy'], 'https:': parameters['https_proxy'] };
  const usual = { 'http:': variable('http_proxy'), 'https:': variable('https_proxy') };
  const exceptions = (variable('no_proxy') ?? '').split(',').flatMap((entry) => entry.trim().toLowerCase() || []);
  return {
    for(url) {
      const scheme = url.protocol as keyof typeof named;
      const own = named[scheme];
      if (typeof own === 'string' && own !== '') return proxyUrl(own);
      const proxy = usual[scheme] ?? variable('all_proxy');
      return proxy === undefined || isException(url, exceptions) ? undefined : proxyUrl(proxy);
    },
  };
}

/** Entries are `example.org`, which includes subdomains, optionally with a leading dot or `*.` or a port, or `*` for all. */
function isException({ hostname, port, protocol }: URL, exceptions: readonly string[]): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const withPort = `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
  return exceptions.some((entry) => {
    const bare = entry.replace(/^\*?\./, '').replace(/^\[([^\]]*)\]/, '$1');
    return entry === '*' || [host, withPort].some((name) => name === bare || name.endsWith(`.${bare}`));
  });
}

const PROTOCOLS = ['http:', 'https:'];

function proxyUrl(text: string): URL {
  const refused = (reason: string) => fault('runner.http-proxy', { url: maskedUrl(text), reason });
  let url: URL;
  try {
    url = new URL(text.includes('://') ? text : `http://${text}`);
  } catch (thrown) {
    throw refused(messageOf(thrown));
  }
  if (!PROTOCOLS.includes(url.protocol)) throw refused('it is neither an http nor an https URL');
  return url;
}
