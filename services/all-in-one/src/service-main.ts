#!/usr/bin/env node
// `svc-service NAME[,NAME…] [--config-file FILE]`: runs one service, or several, in this process.
import { parseArgs } from 'node:util';
import { messageOf } from '@switchyard/base';
import { groupOfOne, refuse, runMain, runServiceHere, SERVICE_FLAGS } from '@switchyard/assembly/service-main';
import { readServiceNames, serviceEntry, serviceNames, type ServiceName } from './entries';

const USAGE = `Usage: svc-service NAME[,NAME...] [--config-file FILE]
       svc-service sensor-container [--config-file FILE] [--sensor-ref PACK.CLASS [--single-sensor-mode]]

Runs one service of Switchyard in this process, or several that share it, on the drivers that the configuration names.

NAME is one of: ${serviceNames.join(', ')}
`;

runMain(async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: SERVICE_FLAGS });
  const [name, ...rest] = positionals;
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  let names: ServiceName[];
  try {
    if (name === undefined || rest.length > 0)
      throw new Error(`expected one list of services, got "${positionals.join(' ')}"`);
    names = readServiceNames(name);
  } catch (error) {
    return refuse(USAGE, messageOf(error));
  }
  await runServiceHere(await groupOf(names), values, USAGE);
});

async function groupOf(names: readonly ServiceName[]) {
  const [only, ...others] = names;
  if (only === undefined || others.length > 0) return (await import('./compose.js')).serviceGroup(names);
  return groupOfOne(await serviceEntry(only));
}
