import { checkCaller, type KnownCallers, type TrustedProxies } from '@switchyard/http';
import { isWellKnown, readBasicCredentials, type PasswordLogin } from '@switchyard/identity';
import type { TokenLogin } from './token-login';

/** Logs in users with basic credentials. @param known the addresses at which well-known passwords are accepted */
export const createStandaloneLogin =
  (login: PasswordLogin, known: KnownCallers, proxies: TrustedProxies): TokenLogin =>
  async (request) => {
    const authorization = request.header('authorization');
    const user = await login({ authorization, address: proxies.clientAddress(request) });
    // Any website could send this request through a host name that resolves to this machine.
    if (isWellKnown(readBasicCredentials(authorization))) checkCaller(known, request.headers);
    return user;
  };
