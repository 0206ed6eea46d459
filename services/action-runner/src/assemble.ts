import { platformOf, withHealth, type Assembly, type ServiceEntry } from '@switchyard/assembly';
import { configForOf } from '@switchyard/assembly/datastore';
import { executionsOf } from '@switchyard/assembly/executions';
import { identitiesOf } from '@switchyard/assembly/identities';
import { packRootsOf } from '@switchyard/assembly/packs';
import { registerRunners, runnersOf } from '@switchyard/assembly/runners';
import { triggersOf } from '@switchyard/assembly/triggers';
import { addresses, dataLimits } from '@switchyard/config';
import { serviceEnvironment } from '@switchyard/runners';
import { createActionRunner } from './action-runner';
import type { RunSettings } from './prepare-run';

export const actionRunnerEntry: ServiceEntry = {
  name: 'action-runner',
  prepare: registerRunners,
  create(assembly) {
    const deps = {
      ...platformOf(assembly, 'action-runner'),
      executions: executionsOf(assembly),
      runners: runnersOf(assembly),
      tokens: identitiesOf(assembly).tokens,
      configFor: configForOf(assembly),
      dispatch: triggersOf(assembly).dispatch,
      settings: runSettings(assembly),
    };
    return withHealth(assembly, deps.config.actionrunner.health_port, createActionRunner(deps));
  },
};

function runSettings(assembly: Assembly): RunSettings {
  const { config } = assembly.platform;
  return {
    systemUser: config.system_user.user,
    maxOutputBytes: config.actionrunner.max_output_bytes,
    data: dataLimits(config),
    streamOutput: config.actionrunner.stream_output,
    outputBufferBytes: config.actionrunner.stream_output_buffer_size,
    environment: serviceEnvironment(assembly.environment),
    apiUrl: addresses(config).api,
    serviceTokenTtlSeconds: config.auth.service_token_ttl,
    packDirectories: packRootsOf(assembly),
  };
}
