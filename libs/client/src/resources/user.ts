import type { Transport } from '../transport/transport';

/** Who a credential belongs to and what it allows. */
export interface CurrentUser {
  username: string;
  authentication: { method: string; location: string; token_expire?: string };
  rbac: { enabled: boolean; roles: string[]; is_admin: boolean };
}

/** @throws ApiError with status 401 for a credential that is not valid */
export const readCurrentUser = async (transport: Transport): Promise<CurrentUser> =>
  (await transport.json<CurrentUser>({ service: 'api', method: 'GET', path: ['user'] })).body;
