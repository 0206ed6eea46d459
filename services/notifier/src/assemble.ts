import { platformOf, withHealth, type ServiceEntry } from '@switchyard/assembly';
import { datastoreOf } from '@switchyard/assembly/datastore';
import { executionsOf } from '@switchyard/assembly/executions';
import { registerRunners } from '@switchyard/assembly/runners';
import { listenersOf, triggersOf } from '@switchyard/assembly/triggers';
import { createNotifier } from './notifier';

export const notifierEntry: ServiceEntry = {
  name: 'notifier',
  prepare: registerRunners,
  create(assembly) {
    const deps = {
      ...platformOf(assembly, 'notifier'),
      executions: executionsOf(assembly),
      dispatch: triggersOf(assembly).dispatch,
      listeners: listenersOf(assembly),
      lookupFor: datastoreOf(assembly).lookupFor,
    };
    return withHealth(assembly, deps.config.notifier.health_port, createNotifier(deps));
  },
};
