import { platformOf, withHealth, type ServiceEntry } from '@switchyard/assembly';
import { executionsOf } from '@switchyard/assembly/executions';
import { createGarbageCollector } from './garbage-collector';

export const garbageCollectorEntry: ServiceEntry = {
  name: 'garbage-collector',
  create(assembly) {
    const deps = { ...platformOf(assembly, 'garbage-collector'), executions: executionsOf(assembly) };
    return withHealth(assembly, deps.config.garbagecollector.health_port, createGarbageCollector(deps));
  },
};
