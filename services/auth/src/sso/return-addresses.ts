import { fault } from '@switchyard/base';
import { addresses, type Config } from '@switchyard/config';
import { knownCallers } from '@switchyard/http';

/** The address of the browser after single sign-on. */
export interface ReturnAddresses {
  /**
   * @param given the page that the login started from. Undefined: the web console
   * @throws Fault `auth.sso-return-address` for a page of another site
   */
  check(given: string | undefined): string;
}

/** The web console, the API and the origins in `api.allow_origin`. */
export function returnAddresses(config: Pick<Config, 'api' | 'auth' | 'stream' | 'webui'>): ReturnAddresses {
  const { origins } = knownCallers(config);
  const { webConsole } = addresses(config);
  return {
    check(given) {
      if (given === undefined || given === '') return new URL(webConsole).href;
      const url = URL.canParse(given) ? new URL(given) : undefined;
      if (url?.username === '' && url.password === '' && origins.has(url.origin)) return shortened(url);
      throw fault('auth.sso-return-address', { address: given.slice(0, SHOWN), known: [...origins].join(', ') });
    },
  };
}

/** The address travels in a cookie, and browsers drop cookies above 4 kB. */
const LONGEST = 2000;
const SHOWN = 100;

const shortened = ({ href, origin }: URL): string => (href.length <= LONGEST ? href : origin);
