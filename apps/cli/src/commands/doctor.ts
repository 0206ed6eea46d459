import { join, resolve } from 'node:path';
import { systemClock } from '@switchyard/base';
import type { DoctorFinding, Repaired } from '@switchyard/storage/doctor';
import type { Command } from 'commander';
import type { DoctorStore } from './doctor-store';
import { CommandError, exitCodes, usageError } from '../exit-codes';
import { createLineReader } from '../forms/line-reader';
import type { DisplayOptions, Printer } from '../output/printer';
import type { CommandContext } from '../program/command-context';
import { withColumns, withFormats } from '../program/common-options';
import { environmentValue } from '../terminal';

interface DoctorOptions extends DisplayOptions {
  configFile?: string;
  dataDir?: string;
  repair?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  putBack?: string;
}

const COLUMNS = ['collection', 'id', 'problem', 'detail', 'bytes', 'repair'];

/** Reads the store directly, because a damaged store may keep the API from starting. */
export function defineDoctor(command: Command, context: CommandContext): void {
  withColumns(withFormats(command))
    .option('--data-dir <directory>', 'Use the data, keys and packs in this directory')
    .option('--repair', 'Repair damaged records, after copying each of them')
    .option('--dry-run', 'Only list the findings (the default without --repair)')
    .option('--yes', 'Repair without asking')
    .option('--put-back <file>', 'Restore the records from a copy')
    .addHelpText(
      'after',
      '\nHere --config-file names the configuration file of the services. Stop the services before a repair.',
    )
    .action(async () => {
      const options = command.optsWithGlobals<DoctorOptions>();
      if (options.repair && options.putBack !== undefined) throw usageError('Either --repair or --put-back.');
      const { openStoreAlone } = await import('./doctor-store.js');
      const file = options.configFile ?? environmentValue(context.terminal.env, 'CONFIG_PATH');
      const store = await openStoreAlone({
        configFile: file === undefined ? undefined : resolve(file),
        dataDirectory: options.dataDir === undefined ? undefined : resolve(options.dataDir),
        environment: context.terminal.env,
      });
      try {
        const { unfinishedRotation } = await import('@switchyard/storage/doctor');
        const rotation = await unfinishedRotation(store.connection);
        for (const text of [...store.warnings, ...(rotation === undefined ? [] : [rotation])])
          context.terminal.stderr.write(`Warning: ${text}\n`);
        context.exitCode = await work(store, options, context);
      } finally {
        await store.connection.close();
      }
    });
}

async function work(store: DoctorStore, options: DoctorOptions, context: CommandContext): Promise<number> {
  const printer = context.printer(options);
  if (options.putBack !== undefined) return putBackFrom(store, resolve(options.putBack), printer);
  const findings = await found(store);
  const repairable = findings.filter(({ remedy }) => remedy !== 'none').length;
  if (!options.repair || options.dryRun || repairable === 0) {
    await show(printer, findings);
    if (repairable > 0) printer.note(`${repairable} of ${findings.length} can be repaired: svc doctor --repair`);
    return findings.length === 0 ? exitCodes.ok.code : exitCodes.failed.code;
  }
  await refuseLiving(store);
  if (!options.yes) {
    if (!printer.format) await show(printer, findings);
    if (!(await agreed(context, repairable))) return exitCodes.failed.code;
  }
  const { repaired, left } = await repairAll(store, findings, printer);
  await show(printer, [...repaired, ...left.map((finding) => ({ ...finding, repaired: false }))]);
  return left.length === 0 ? exitCodes.ok.code : exitCodes.failed.code;
}

async function found({ connection, openers }: DoctorStore): Promise<DoctorFinding[]> {
  const { examineStore } = await import('@switchyard/storage/doctor');
  const findings: DoctorFinding[] = [];
  for await (const finding of examineStore(connection, openers)) findings.push(finding);
  return findings;
}

async function refuseLiving({ connection, leaseMs }: DoctorStore): Promise<void> {
  const { livingProcesses } = await import('@switchyard/storage/doctor');
  const living = await livingProcesses(connection, leaseMs);
  if (living.length > 0) throw new CommandError(`The store is in use. Stop these first: ${living.join('; ')}.`);
}

async function agreed({ terminal }: CommandContext, count: number): Promise<boolean> {
  const reader = createLineReader(terminal);
  try {
    return /^y(es)?$/i.test((await reader.ask(`Repair ${count} findings? [y/N] `)).trim());
  } finally {
    reader.close();
  }
}

/** A repair can cause more findings: an execution cannot continue without its workflow. */
const MOST_ROUNDS = 5;

async function repairAll(store: DoctorStore, first: readonly DoctorFinding[], printer: Printer) {
  const { createBackup, repairFinding } = await import('@switchyard/storage/doctor');
  const clock = systemClock();
  const path = join(store.paths.base, `doctor-${new Date().toISOString().replace(/[-:.]/g, '')}.jsonl`);
  const backup = createBackup(path);
  printer.note(`Copying each record to ${path} before it is changed or removed`);
  const repaired: Repaired[] = [];
  let left = first;
  try {
    for (let round = 0; round < MOST_ROUNDS && left.some(({ remedy }) => remedy !== 'none'); round++) {
      const done: Repaired[] = [];
      for (const finding of left)
        done.push(await repairFinding({ connection: store.connection, backup, now: clock.nowMicros() }, finding));
      repaired.push(...done.filter((finding) => finding.repaired));
      for (const { collection, id, failure } of done) if (failure) printer.note(`${collection} ${id}: ${failure}`);
      left = await found(store);
    }
  } finally {
    backup.close();
  }
  return { repaired, left };
}

async function putBackFrom({ connection, ...store }: DoctorStore, path: string, printer: Printer): Promise<number> {
  await refuseLiving({ connection, ...store });
  const { putBack } = await import('@switchyard/storage/doctor');
  printer.note(`Put ${await putBack(connection, path)} records back`);
  return exitCodes.ok.code;
}

async function show(printer: Printer, findings: readonly (DoctorFinding & { repaired?: boolean })[]): Promise<void> {
  const { remedies } = await import('@switchyard/storage/doctor');
  if (findings.length === 0 && !printer.format) return printer.line('No problems were found in the store.');
  const isRepair = findings.some(({ repaired }) => repaired !== undefined);
  const rows = findings.map(({ keys: _, remedy, ...finding }) => ({ ...finding, repair: remedies[remedy] }));
  await printer.list(rows, isRepair ? [...COLUMNS, 'repaired'] : COLUMNS);
}
