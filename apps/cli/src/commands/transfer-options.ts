import type { TransferPart } from '@switchyard/storage/transfer';
import type { Command } from 'commander';
import { usageError } from '../exit-codes';
import type { DisplayOptions } from '../output/printer';
import { names, withColumns, withFormats } from '../program/common-options';
import type { ServiceFiles } from '../settings/service-config';

export interface TransferOptions extends DisplayOptions, ServiceFiles {
  only?: string[];
  history: boolean;
}

export interface ExportCommandOptions extends TransferOptions {
  withSecrets?: boolean;
}

export interface ImportCommandOptions extends TransferOptions {
  check?: boolean;
  reseal?: boolean;
}

/** The options of `svc export` and `svc import`. */
export const withTransferOptions = (command: Command): Command =>
  withColumns(withFormats(command))
    .option('--data-dir <directory>', 'Use the data, keys and packs in this directory')
    .option('--only <parts>', 'Limit to these parts: content, datastore, rules, users, history', names)
    .option('--no-history', 'Leave out executions, events and the audit trail')
    .addHelpText('after', '\nHere --config-file names the configuration file of the services.');

/** The chosen parts of a system. */
export async function chosenParts({ only, history }: TransferOptions): Promise<TransferPart[]> {
  const { TRANSFER_PARTS } = await import('@switchyard/storage/transfer');
  const unknown = only?.find((name) => !(TRANSFER_PARTS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw usageError(`--only: expected some of ${TRANSFER_PARTS.join(', ')}; got "${unknown}".`);
  return TRANSFER_PARTS.filter((name) => (only?.includes(name) ?? true) && (history || name !== 'history'));
}
