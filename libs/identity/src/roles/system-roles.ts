import { isFault, newId } from '@switchyard/base';
import type { Store } from '@switchyard/storage';

/** Roles that always exist. What they allow is not stored: it follows from their names. */
const SYSTEM_ROLES: Readonly<Record<string, string>> = {
  system_admin: 'May do everything. Cannot be changed.',
  admin: 'May do everything.',
  observer: 'May see everything, but change nothing.',
};

/** The roles of administrators, who may do everything. */
export const ADMINISTRATOR_ROLES: readonly string[] = ['system_admin', 'admin'];

export const isSystemRole = (name: string): boolean => Object.hasOwn(SYSTEM_ROLES, name);

/** Stores the roles of the system where they are missing. Several processes may do so at once. */
export async function ensureSystemRoles({ roles }: Pick<Store, 'roles'>): Promise<void> {
  const stored = new Set((await roles.list({ filter: { system: true } })).map(({ name }) => name));
  for (const [name, description] of Object.entries(SYSTEM_ROLES)) {
    if (stored.has(name)) continue;
    const record = { _id: newId(), name, description, system: true, permission_grants: [] };
    await roles.insert(record).catch((error: unknown) => {
      if (!isFault(error) || error.code !== 'storage.duplicate') throw error;
    });
  }
}
