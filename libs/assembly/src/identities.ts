import { createBackendAccess, createIdentities, createRoleAccess } from '@switchyard/identity';
import { part, type Assembly } from './assembly';
import { roleBackendOf } from './roles';

/** Users, tokens, API keys, and what each of them may do. */
export const identitiesOf = part((assembly) => {
  const { store, clock, config } = assembly.platform;
  return createIdentities({ store, clock, config, ...(config.rbac.enable ? { access: accessOf(assembly) } : {}) });
});

/** Access control by roles: those of a plug-in, or those that are stored. */
function accessOf(assembly: Assembly) {
  const { store, clock } = assembly.platform;
  const backend = roleBackendOf(assembly);
  return backend ? createBackendAccess(backend, { clock }) : createRoleAccess({ store, clock });
}
