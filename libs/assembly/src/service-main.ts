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

/** Runs a service or a group in this process, with what its command line says. A flag of another service is refused with the usage. */
export async function runServiceHere(group: ServiceGroup, flags: ServiceFlags, usage: string): Promise<void> {
  const { 'config-file': file, 'sensor-ref': sensor, 'single-sensor-mode': single } = flags;
  if (!group.takesSensorFlags && (sensor !== undefined || single !== undefined))
    return refuse(usage, '--sensor-ref and --single-sensor-mode are for the sensor-container alone');
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

/** Prints the usage of the program and the error in the call. */
export function refuse(usage: string, reason: string): void {
  process.stderr.write(`${usage}\nERROR: ${reason}.\n`);
  process.exitCode = 2;
}

/** Runs the main function of a program and ends the process: with 1 and the reason when it fails. */
export function runMain(main: () => Promise<void>): void {
  holdYoungGeneration();
  cacheCompiledCode(process.env);
  main().then(
    // Nothing may keep a process alive whose service has ended.
    () => process.exit(process.exitCode ?? 0),
    (error: unknown) => {
      process.stderr.write(`ERROR: ${messageOf(error)}\n`);
      process.exit(1);
    },
  );
}
