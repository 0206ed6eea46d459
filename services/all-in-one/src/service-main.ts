#!/usr/bin/env node
// `svc-service NAME [--config-file FILE]`: one service in a process of its own.
import { parseArgs } from 'node:util';
import { messageOf } from '@switchyard/base';
import { runService } from './run-service';
import { serviceNames, type ServiceName } from './service-factories';

const SENSORS = 'sensor-container';

const USAGE = `Usage: svc-service NAME [--config-file FILE]
       svc-service ${SENSORS} [--config-file FILE] [--sensor-ref PACK.CLASS [--single-sensor-mode]]

Runs one service of Switchyard in this process, on the drivers that the configuration names.

NAME is one of: ${serviceNames.join(', ')}
`;

const isService = (name: string | undefined): name is ServiceName => serviceNames.some((known) => known === name);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'config-file': { type: 'string' },
      'sensor-ref': { type: 'string' },
      'single-sensor-mode': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [name, ...rest] = positionals;
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  if (!isService(name) || rest.length > 0) {
    process.stderr.write(`${USAGE}\nERROR: expected the name of one service, got "${positionals.join(' ')}".\n`);
    process.exitCode = 2;
    return;
  }
  const { 'config-file': file, 'sensor-ref': sensor, 'single-sensor-mode': single } = values;
  if (name !== SENSORS && (sensor !== undefined || single !== undefined)) {
    process.stderr.write(`${USAGE}\nERROR: --sensor-ref and --single-sensor-mode are for the ${SENSORS} only.\n`);
    process.exitCode = 2;
    return;
  }
  const sensorcontainer = {
    ...(sensor === undefined ? {} : { sensor_ref: sensor }),
    ...(single === undefined ? {} : { single_sensor_mode: single }),
  };
  await runService({
    name,
    environment: process.env,
    process,
    overrides: { sensorcontainer },
    ...(file === undefined ? {} : { configFile: file }),
  });
}

main().then(
  // Nothing may keep a process alive whose service has ended.
  () => process.exit(process.exitCode ?? 0),
  (error: unknown) => {
    process.stderr.write(`ERROR: ${messageOf(error)}\n`);
    process.exit(1);
  },
);
