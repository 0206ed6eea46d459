import { platformOf, withHealth, type ServiceEntry } from '@switchyard/assembly';
import { datastoreOf } from '@switchyard/assembly/datastore';
import { executionsOf } from '@switchyard/assembly/executions';
import { registerRunners } from '@switchyard/assembly/runners';
import { createRulesEngine } from './rules-engine';

export const rulesEngineEntry: ServiceEntry = {
  name: 'rules-engine',
  prepare: registerRunners,
  create(assembly) {
    const deps = {
      ...platformOf(assembly, 'rules-engine'),
      executions: executionsOf(assembly),
      lookupFor: datastoreOf(assembly).lookupFor,
    };
    return withHealth(assembly, deps.config.rulesengine.health_port, createRulesEngine(deps));
  },
};
