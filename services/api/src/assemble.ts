import { platformOf, type Assembly, type ServiceEntry } from '@switchyard/assembly';
import { auditOf } from '@switchyard/assembly/audit';
import { datastoreOf } from '@switchyard/assembly/datastore';
import { executionsOf } from '@switchyard/assembly/executions';
import { identitiesOf } from '@switchyard/assembly/identities';
import { packRootsOf } from '@switchyard/assembly/packs';
import { startRegistrationOf } from '@switchyard/assembly/register-packs';
import { preparedRoles } from '@switchyard/assembly/roles';
import { runnersOf } from '@switchyard/assembly/runners';
import { sharedPythonOf } from '@switchyard/assembly/shared-python';
import { triggersOf } from '@switchyard/assembly/triggers';
import { watchInstances, type Service } from '@switchyard/host';
import type { HttpService } from '@switchyard/http';
import { createApiService, type ApiServiceDependencies } from './api-service';

export const apiEntry: ServiceEntry = {
  name: 'api',
  // Packs are registered by the API's process, because clients find them through the API.
  prepare: async (assembly) => {
    await preparedRoles(assembly);
    await startRegistrationOf(assembly).registerChanged();
  },
  started: (assembly) => startRegistrationOf(assembly).checkUnchanged(),
  create: (assembly) => assembleApi(assembly),
};

/** @param more further routes for the same listener */
export const assembleApi = (
  assembly: Assembly,
  more: Pick<ApiServiceDependencies, 'alsoMount'> = {},
): Service & Pick<HttpService, 'address'> => {
  const sharedPython = sharedPythonOf(assembly);
  const packs = startRegistrationOf(assembly);
  const platform = platformOf(assembly, 'api');
  const instances = watchInstances({
    ...platform,
    instances: platform.store.instances,
    leaseMs: platform.config.instances.lease_ms,
  });
  const service = createApiService({
    ...platform,
    instances,
    executions: executionsOf(assembly),
    triggers: triggersOf(assembly),
    datastore: datastoreOf(assembly),
    identities: identitiesOf(assembly),
    ...auditOf(assembly),
    runners: runnersOf(assembly),
    packRoots: packRootsOf(assembly),
    environment: assembly.environment,
    ...(sharedPython && { sharedPython }),
    about: assembly.about,
    ...more,
  });
  return {
    ...service,
    async start() {
      instances.start();
      await service.start();
    },
    async stop() {
      await Promise.all([instances.stop(), service.stop(), sharedPython?.stop(), packs.stop()]);
      await auditOf(assembly).audit?.settled();
    },
    async kill() {
      await Promise.all([instances.stop(), service.kill(), sharedPython?.stop(), packs.stop()]);
    },
  };
};
