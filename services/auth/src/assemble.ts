import { platformOf, type Assembly, type ServiceEntry } from '@switchyard/assembly';
import { addedBackends, guardedAccounts } from '@switchyard/assembly/accounts';
import { auditOf } from '@switchyard/assembly/audit';
import { identitiesOf } from '@switchyard/assembly/identities';
import { preparedRoles } from '@switchyard/assembly/roles';
import type { Service } from '@switchyard/host';
import { createAuthRoutes, type AuthRoutes } from './auth-routes';
import { createAuthService } from './auth-service';

export const authEntry: ServiceEntry = {
  name: 'auth',
  configure: guardedAccounts,
  prepare: preparedRoles,
  create: (assembly) => assembleAuth(assembly, assembleAuthRoutes(assembly)),
};

/** Only the routes, for a process in which another listener serves them too. */
export const assembleAuthRoutes = (assembly: Assembly): AuthRoutes =>
  createAuthRoutes({
    ...platformOf(assembly, 'auth'),
    identities: identitiesOf(assembly),
    backends: addedBackends(assembly.platform.config),
  });

export const assembleAuth = (assembly: Assembly, auth: AuthRoutes): Service =>
  createAuthService({
    ...platformOf(assembly, 'auth'),
    identities: identitiesOf(assembly),
    about: assembly.about,
    auth,
    ...auditOf(assembly),
  });
