import type { VisibleResources } from '@switchyard/model';

/** Answers who is an administrator and who may do what. */
export interface AccessControl {
  readonly enabled: boolean;
  isAdmin(user: string): Promise<boolean> | boolean;
  rolesOf(user: string): Promise<readonly string[]> | readonly string[];
  /**
   * @param resource uid of the resource; without it, the permission is a global one
   * @param parents uids of other resources whose grants apply as well, such as the action of an execution. The pack in the
   * uid of a resource is known without it
   * @throws Fault `auth.forbidden` or `auth.forbidden-resource` when the user lacks the permission
   */
  authorise(user: string, permission: string, resource?: string, parents?: readonly string[]): Promise<void> | void;
  /** The resources on which the user has a permission, for lists that contain nothing else. */
  visible(user: string, permission: string): Promise<VisibleResources> | VisibleResources;
}

/** Used while access control is off: every authenticated user may do everything. */
export const openAccess: AccessControl = {
  enabled: false,
  isAdmin: () => true,
  rolesOf: () => [],
  authorise: () => undefined,
  visible: () => 'all',
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
