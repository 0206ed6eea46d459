/** Answers who is an administrator and who may do what. */
export interface AccessControl {
  readonly enabled: boolean;
  isAdmin(user: string): Promise<boolean> | boolean;
  rolesOf(user: string): Promise<readonly string[]> | readonly string[];
  /**
   * @param resource uid of the resource; without it, the permission is a global one
   * @throws Fault `auth.forbidden` when the user lacks the permission
   */
  authorise(user: string, permission: string, resource?: string): Promise<void> | void;
}

/** Used while access control is off: every authenticated user may do everything. */
export const openAccess: AccessControl = {
  enabled: false,
  isAdmin: () => true,
  rolesOf: () => [],
  authorise: () => undefined,
};

/** Who sent a request, and how they proved it. */
export interface Requester {
  readonly user: string;
  /** `none` when authentication is off: every request then runs as the system user. */
  readonly method: 'token' | 'api key' | 'password' | 'none';
  /** Where the credential was found. A cookie counts as a header. */
  readonly location: 'header' | 'query' | 'none';
  /** Always true while roles are not in use. */
  readonly isAdmin: boolean;
  /** Set when the credential was a token. */
  readonly tokenExpiry?: Date;
  /** Set when the credential was a token; needed to revoke it. Never log or store it. */
  readonly token?: string;
}
