import { fault } from '@switchyard/base';
import type { UserPermissions, VisibleResources } from '@switchyard/model';

/** Answers who is an administrator and who may do what. */
export interface AccessControl {
  readonly enabled: boolean;
  isAdmin(user: string): Promise<boolean> | boolean;
  rolesOf(user: string): Promise<readonly string[]> | readonly string[];
  /**
   * Checks the permissions of the user and those of the credential, if it is restricted.
   * @param resource uid of the resource; without it, the permission is a global one
   * @param parents uids of other resources whose grants apply as well, such as the action of an execution. The pack in
   * the uid of a resource need not be listed
   * @throws Fault `auth.forbidden` or `auth.forbidden-resource` when the user lacks the permission, `auth.restricted` when
   * the credential does
   */
  authorise(actor: Actor, permission: string, resource?: string, parents?: readonly string[]): Promise<void> | void;
  /** The resources on which user and credential have a permission, for lists that contain nothing else. */
  visible(actor: Actor, permission: string): Promise<VisibleResources> | VisibleResources;
}

/** Used while access control is off: every authenticated user may do everything, except with a restricted credential. */
export const openAccess: AccessControl = {
  enabled: false,
  isAdmin: () => true,
  rolesOf: () => [],
  authorise: checkRestriction,
  visible: ({ restriction }, permission) => restriction?.visible(permission) ?? 'all',
};

/** Whose permissions are checked: a user, and the limits of the credential that the user sent. */
export type Actor = Pick<Requester, 'user' | 'restriction' | 'boundRole'>;

/**
 * Checks only the permissions of the credential, where its user needs none. Unlike refusals of users, this one does not
 * name the permission.
 * @throws Fault `auth.restricted`
 */
export function checkRestriction(
  { restriction }: Pick<Actor, 'restriction'>,
  ...asked: Parameters<UserPermissions['allows']>
): void {
  if (restriction && !restriction.allows(...asked)) throw fault('auth.restricted');
}

/** An event of a webhook trigger that was signed. */
export interface SignedEvent {
  /** Reference of the trigger. */
  readonly trigger: string;
  /** A hash of what was signed. */
  readonly content: string;
  /** The time until which the same content must not count again. */
  readonly expiresMs: number;
}

/** Who sent a request, and how they proved it. */
export interface Requester {
  readonly user: string;
  /** `none` when authentication is off: every request then runs as the system user. */
  readonly method: 'token' | 'api key' | 'password' | 'signature' | 'none';
  /** Where the credential was found. A cookie counts as a header. */
  readonly location: 'header' | 'query' | 'none';
  /** Whether user and credential may do everything. Without roles, each unrestricted credential may. */
  readonly isAdmin: boolean;
  /** The most that the credential permits. Absent if it permits everything that its user may do. */
  readonly restriction?: UserPermissions;
  /** The role that limits a token for unattended use, and everything that is started with it. */
  readonly boundRole?: string;
  /** Whether the credential is limited in permissions, addresses or time. If so, it cannot create other credentials. */
  readonly isLimited?: boolean;
  /** Set when the proof was a signature: the events that were signed. */
  readonly signedFor?: readonly SignedEvent[];
  /** Set when the credential was a token. */
  readonly tokenExpiry?: Date;
  /** Set when the credential was a token; needed to revoke it. Never log or store it. */
  readonly token?: string;
}
