#!/usr/bin/env node
// `svc-service NAME [--config-file FILE]`: one service in a process of its own.
import { parseArgs } from 'node:util';
import { messageOf } from '@switchyard/base';
import { runService } from './run-service';
import { serviceNames, type ServiceName } from './service-factories';

const USAGE = `Usage: svc-service NAME [--config-file FILE]

Runs one service of Switchyard in this process, on the drivers that the configuration names.

NAME is one of: ${serviceNames.join(', ')}
`;

const isService = (name: string | undefined): name is ServiceName => serviceNames.some((known) => known === name);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'config-file': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
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
  const file = values['config-file'];
  await runService({ name, environment: process.env, process, ...(file === undefined ? {} : { configFile: file }) });
}

main().then(
  // Nothing may keep a process alive whose service has ended.
  () => process.exit(process.exitCode ?? 0),
  (error: unknown) => {
    process.stderr.write(`ERROR: ${messageOf(error)}\n`);
    process.exit(1);
  },
);
