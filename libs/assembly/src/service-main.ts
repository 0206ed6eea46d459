import { parseArgs } from 'node:util';
import { messageOf } from '@switchyard/base';
import type { ServiceEntry, ServiceGroup } from './assembly';
import { cacheCompiledCode } from './compile-cache';
import { holdYoungGeneration } from './young-generation';

/** The flags of the programs of services. */
export const SERVICE_FLAGS = {
  'config-file': { type: 'string' },
  'sensor-ref': { type: 'string' },
  'single-sensor-mode': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The values of these flags, as `parseArgs` gives them. */
export interface ServiceFlags {
  'config-file'?: string | undefined;
  'sensor-ref'?: string | undefined;
  'single-sensor-mode'?: boolean | undefined;
}

/** The program of one service: `svc-NAME [--config-file FILE]`. */
export function runServiceMain(entry: ServiceEntry): void {
  const sensorFlags = entry.takesSensorFlags ? ' [--sensor-ref PACK.CLASS [--single-sensor-mode]]' : '';
  const usage = `Usage: svc-${entry.name} [--config-file FILE]${sensorFlags}\n`;
  runMain(async () => {
    const { values } = parseArgs({ options: SERVICE_FLAGS });
    if (values.help) process.stdout.write(usage);
    else await runServiceHere(groupOfOne(entry), values, usage);
  });
}

export const groupOfOne = (entry: ServiceEntry): ServiceGroup => ({
  ...entry,
  create: (assembly) => [entry.create(assembly)],
});

/** Runs a service or a group in this process, with the options of its command line. Rejects a flag of another service
 * and prints the usage. */
export async function runServiceHere(group: ServiceGroup, flags: ServiceFlags, usage: string): Promise<void> {
  const { 'config-file': file, 'sensor-ref': sensor, 'single-sensor-mode': single } = flags;
  if (!group.takesSensorFlags && (sensor !== undefined || single !== undefined))
    return refuse(usage, '--sensor-ref and --single-sensor-mode are only for the sensor-container');
  const sensorcontainer = {
    ...(sensor === undefined ? {} : { sensor_ref: sensor }),
    ...(single === undefined ? {} : { single_sensor_mode: single }),
  };
  const { runService } = await import('./run-service.js');
  await runService(group, {
    environment: process.env,
    process,
    overrides: { sensorcontainer },
    ...(file === undefined ? {} : { configFile: file }),
  });
}

/** Prints the error in the command line and the usage of the program. */
export function refuse(usage: string, reason: string): void {
  process.stderr.write(`${usage}\nERROR: ${reason}.\n`);
  process.exitCode = 2;
}

/** Runs the main function of a program and exits; if it fails, prints the reason and exits with 1. */
export function runMain(main: () => Promise<void>): void {
  holdYoungGeneration();
  cacheCompiledCode(process.env);
  main().then(
    // Exits explicitly, so that nothing keeps the process alive after its service has ended.
    () => process.exit(process.exitCode ?? 0),
    (error: unknown) => {
      process.stderr.write(`ERROR: ${messageOf(error)}\n`);
      process.exit(1);
    },
  );
}
