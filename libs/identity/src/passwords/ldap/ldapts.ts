import type * as Ldapts from 'ldapts';

/** The LDAP client, which is loaded only by processes that use it. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- arguments are checked in functions that are not asynchronous
export const ldapts = (): typeof Ldapts => require('ldapts') as typeof Ldapts;
