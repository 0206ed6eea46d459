/** The client library, loaded by the first login. It is an ES module. */
export const openidClient = () => import('openid-client');

export type OpenidClient = Awaited<ReturnType<typeof openidClient>>;
/** A provider, and this system as its client. */
export type OidcConfiguration = InstanceType<OpenidClient['Configuration']>;
