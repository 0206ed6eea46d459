import { platformOf, withHealth, type ServiceEntry } from '@switchyard/assembly';
import { configForOf, datastoreOf } from '@switchyard/assembly/datastore';
import { executionsOf } from '@switchyard/assembly/executions';
import { packRootsOf } from '@switchyard/assembly/packs';
import { registerRunners } from '@switchyard/assembly/runners';
import { addresses } from '@switchyard/config';
import { createWorkflowEngine } from './workflow-engine';

export const workflowEngineEntry: ServiceEntry = {
  name: 'workflow-engine',
  prepare: registerRunners,
  create(assembly) {
    const platform = platformOf(assembly, 'workflow-engine');
    const service = createWorkflowEngine({
      ...platform,
      executions: executionsOf(assembly),
      lookupFor: datastoreOf(assembly).lookupFor,
      configFor: configForOf(assembly),
      apiUrl: addresses(platform.config).api,
      packDirectories: packRootsOf(assembly),
    });
    return withHealth(assembly, platform.config.workflow_engine.health_port, service);
  },
};
