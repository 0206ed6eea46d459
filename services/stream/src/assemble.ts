import { platformOf, type ServiceEntry } from '@switchyard/assembly';
import { auditOf } from '@switchyard/assembly/audit';
import { executionsOf } from '@switchyard/assembly/executions';
import { identitiesOf } from '@switchyard/assembly/identities';
import { preparedRoles } from '@switchyard/assembly/roles';
import { createStreamService } from './stream-service';

export const streamEntry: ServiceEntry = {
  name: 'stream',
  prepare: preparedRoles,
  create: (assembly) =>
    createStreamService({
      ...platformOf(assembly, 'stream'),
      executions: executionsOf(assembly),
      authenticate: identitiesOf(assembly).authenticateIfEnabled,
      access: identitiesOf(assembly).access,
      ...auditOf(assembly),
    }),
};
