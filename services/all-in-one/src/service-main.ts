#!/usr/bin/env node
// `svc-service NAME [--config-file FILE]`: one service in a process of its own.
import { parseArgs } from 'node:util';
import { refuse, runMain, runServiceHere, SERVICE_FLAGS } from '@switchyard/assembly/service-main';
import { isServiceName, serviceEntry, serviceNames } from './entries';

const USAGE = `Usage: svc-service NAME [--config-file FILE]
       svc-service sensor-container [--config-file FILE] [--sensor-ref PACK.CLASS [--single-sensor-mode]]

Runs one service of Switchyard in this process, on the drivers that the configuration names.

NAME is one of: ${serviceNames.join(', ')}
`;

runMain(async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: SERVICE_FLAGS });
  const [name, ...rest] = positionals;
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  if (!isServiceName(name) || rest.length > 0)
    return refuse(USAGE, `expected the name of one service, got "${positionals.join(' ')}"`);
  await runServiceHere(await serviceEntry(name), values, USAGE);
});
