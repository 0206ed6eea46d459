import { platformOf, withHealth, type ServiceEntry } from '@switchyard/assembly';
import { triggersOf } from '@switchyard/assembly/triggers';
import { createTimers } from './timers';

export const timersEntry: ServiceEntry = {
  name: 'timers',
  create(assembly) {
    const deps = { ...platformOf(assembly, 'timers'), dispatch: triggersOf(assembly).dispatch };
    return withHealth(assembly, deps.config.timersengine.health_port, createTimers(deps));
  },
};
