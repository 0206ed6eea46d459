import type { BasicCredentials } from './basic-credentials';

/** The account that exists until somebody configures users: well known, and so good for this machine only. */
export const DEFAULT_ACCOUNT = { user: 'svcadmin', password: 'Ch@ngeMe' } as const;

/** Accounts whose passwords everybody knows: our own and the reference's. */
export const WELL_KNOWN_ACCOUNTS: readonly BasicCredentials[] = [
  DEFAULT_ACCOUNT,
  { user: 'st2admin', password: DEFAULT_ACCOUNT.password },
];

/** Whether a right password proves nothing, since it is in the documentation. */
export const isWellKnown = (given: BasicCredentials | undefined): boolean =>
  WELL_KNOWN_ACCOUNTS.some(({ user, password }) => user === given?.user && password === given.password);
