/** Roles, seen from the outside: who is an administrator, and who may do what. */
export interface AccessControl {
  readonly enabled: boolean;
  isAdmin(user: string): Promise<boolean> | boolean;
  rolesOf(user: string): Promise<readonly string[]> | readonly string[];
  /**
   * @param resource uid of what the permission is needed for; without it the permission is a global one
   * @throws Fault `auth.forbidden` when the permission type is missing
   */
  authorise(user: string, permission: string, resource?: string): Promise<void> | void;
}

/** Access control is off: whoever is authenticated may do everything. */
export const openAccess: AccessControl = {
  enabled: false,
  isAdmin: () => true,
  rolesOf: () => [],
  authorise: () => undefined,
};
