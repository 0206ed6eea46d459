import { platformOf, withHealth, type ServiceEntry } from '@switchyard/assembly';
import { executionsOf } from '@switchyard/assembly/executions';
import { createScheduler } from './scheduler';

export const schedulerEntry: ServiceEntry = {
  name: 'scheduler',
  create(assembly) {
    const deps = { ...platformOf(assembly, 'scheduler'), executions: executionsOf(assembly) };
    return withHealth(assembly, deps.config.scheduler.health_port, createScheduler(deps));
  },
};
