import { fault } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { headerName, type RequestHead, type TrustedProxies } from '@switchyard/http';
import { readBasicCredentials } from '@switchyard/identity';
import type { TokenLogin } from './token-login';
import { isUserName } from './user-name';

type ProxyLoginOptions = Pick<Config['auth'], 'proxy_user_header'>;

/**
 * Logs in the user that a trusted proxy names in a header. The proxy checks the passwords.
 * @throws Fault `config.conflict`
 */
export function createProxyLogin(options: ProxyLoginOptions, proxies: TrustedProxies): TokenLogin {
  const header = headerName('proxy_user_header', options.proxy_user_header);
  // Requires this option, because a proxy that checks something else may pass the header on unchecked.
  const readUser = header === 'authorization' ? basicUser : (value: string) => value;
  return (request) => {
    if (!proxies.isSender(request)) return Promise.reject(untrusted(request));
    const [value, ...others] = request.headerValues(header);
    if (others.length > 0) return Promise.reject(noUser(options, 'several'));
    const user = value === undefined ? undefined : readUser(inUtf8(value));
    return isName(user) ? Promise.resolve(user) : Promise.reject(noUser(options, value ? 'no valid name' : 'none'));
  };
}

const untrusted = ({ remoteAddress }: RequestHead) => fault('auth.untrusted-proxy', { address: remoteAddress });

const noUser = ({ proxy_user_header: header }: ProxyLoginOptions, actual: string) =>
  fault('auth.no-proxy-user', { header, actual });

const basicUser = (value: string): string | undefined => readBasicCredentials(value)?.user;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Node.js decodes headers with one character per byte. @returns an empty text for bytes that are not UTF-8 */
function inUtf8(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return '';
  }
}

/** What Apache sends for a variable that is not set. */
const UNSET = '(null)';

const isName = (user: string | undefined): user is string => isUserName(user) && user !== UNSET;
