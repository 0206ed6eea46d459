import { platformOf, withHealth, type ServiceEntry } from '@switchyard/assembly';
import { datastoreOf } from '@switchyard/assembly/datastore';
import { identitiesOf } from '@switchyard/assembly/identities';
import { triggersOf } from '@switchyard/assembly/triggers';
import { addresses } from '@switchyard/config';
import { serviceEnvironment } from '@switchyard/runners/service-environment';
import { createSensorContainer } from './sensor-container';

export const sensorContainerEntry: ServiceEntry = {
  name: 'sensor-container',
  takesSensorFlags: true,
  create(assembly) {
    const { tokens, access } = identitiesOf(assembly);
    const platform = platformOf(assembly, 'sensor-container');
    const service = createSensorContainer({
      ...platform,
      dispatch: triggersOf(assembly).dispatch,
      datastore: datastoreOf(assembly),
      tokens,
      access,
      apiUrl: addresses(platform.config).api,
      environment: serviceEnvironment(assembly.environment),
      // The exit code that shells use for a process ended by a signal.
      onSingleEnd: (code) => void (process.exitCode = code < 0 ? 128 - code : code),
    });
    return withHealth(assembly, platform.config.sensorcontainer.health_port, service);
  },
};
