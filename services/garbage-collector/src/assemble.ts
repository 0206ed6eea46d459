import { platformOf, withHealth, type ServiceEntry } from '@switchyard/assembly';
import { auditOf } from '@switchyard/assembly/audit';
import { itemResealerOf } from '@switchyard/assembly/datastore';
import { executionsOf } from '@switchyard/assembly/executions';
import { createGarbageCollector } from './garbage-collector';
import { createKeyRotator, withKeyRotator } from './key-rotator';

export const garbageCollectorEntry: ServiceEntry = {
  name: 'garbage-collector',
  create(assembly) {
    const deps = {
      ...platformOf(assembly, 'garbage-collector'),
      executions: executionsOf(assembly),
      ...auditOf(assembly),
      environment: assembly.environment,
    };
    const rotator = createKeyRotator({ ...deps, itemResealer: itemResealerOf(assembly) });
    const collector = withKeyRotator(createGarbageCollector(deps), rotator);
    return withHealth(assembly, deps.config.garbagecollector.health_port, collector);
  },
};
