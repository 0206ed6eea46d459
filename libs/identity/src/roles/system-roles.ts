import { isFault, newId } from '@switchyard/base';
import { SYSTEM_ROLES, type SystemRole } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/** Roles that always exist. What they allow is not stored: it follows from their names. */
const DESCRIPTIONS: Readonly<Record<SystemRole, string>> = {
  system_admin: 'May do everything. Cannot be changed.',
  admin: 'May do everything.',
  observer: 'May see everything, but change nothing.',
};

export const isSystemRole = (name: string): boolean => Object.hasOwn(DESCRIPTIONS, name);

/** Stores the roles of the system where they are missing. Several processes may do so at once. */
export async function ensureSystemRoles({ roles }: Pick<Store, 'roles'>): Promise<void> {
  const stored = new Set((await roles.list({ filter: { system: true } })).map(({ name }) => name));
  for (const name of SYSTEM_ROLES) {
    if (stored.has(name)) continue;
    const record = { _id: newId(), name, description: DESCRIPTIONS[name], system: true, permission_grants: [] };
    await roles.insert(record).catch((error: unknown) => {
      if (!isFault(error) || error.code !== 'storage.duplicate') throw error;
    });
  }
}
