import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '@switchyard/base';
import { isNotFound, type Client, type KeyRotation } from '@switchyard/client';
import type { Command } from 'commander';
import { asOperation, CommandError, usageError } from '../exit-codes';
import type { Printer } from '../output/printer';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withFormats, type CommonOptions } from '../program/common-options';
import { isSettled, showRotation } from './show-rotation';

interface RotateOptions extends CommonOptions {
  retire?: boolean;
  abandonDamaged?: boolean;
  check?: boolean;
  wait: boolean;
  offline?: boolean;
  configFile?: string;
  dataDir?: string;
}

/** `svc key rotate`: the secrets in the store get a new key. A running system does it itself; `--offline` is for a stopped one. */
export function defineRotate(group: Command, context: CommandContext): void {
  const command = group.command('rotate').description('Encrypt all secrets in the store with new keys');
  withFormats(withCredentials(command))
    .option('--retire', 'Remove the former keys if no secret is encrypted with them')
    .option(
      '--abandon-damaged',
      'With --retire: remove them even if some secrets that were encrypted with them cannot be decrypted',
    )
    .option('--check', 'Only show the progress of the last rotation')
    .option('--no-wait', 'Do not wait for the end')
    .option('--offline', 'Work on the store of a stopped system, without the API')
    .option('--data-dir <directory>', 'With --offline: use the data and keys in this directory')
    .addHelpText('after', '\nWith --offline, --config-file names the configuration file of the services.')
    .action(async () => {
      const options = command.optsWithGlobals<RotateOptions>();
      if (options.check && options.retire) throw usageError('Either --check or --retire.');
      if (options.abandonDamaged && !options.retire) throw usageError('--abandon-damaged needs --retire.');
      if (options.offline) {
        const { rotateOffline } = await import('./key-rotate-offline.js');
        return rotateOffline(options, context);
      }
      if (options.dataDir !== undefined) throw usageError('--data-dir needs --offline.');
      await rotateOnline(await context.client(options), options, context);
    });
}

async function rotateOnline({ keyRotations }: Client, options: RotateOptions, context: CommandContext): Promise<void> {
  const printer = context.printer(options);
  const first = options.check
    ? await lastRotation(keyRotations)
    : await asOperation(keyRotations.start(requestOf(options)));
  const isOver = options.check === true || !options.wait;
  const rotation = isOver ? first : await untilSettled(first, keyRotations.get, printer);
  await showRotation(rotation, printer, context, isOver);
}

const requestOf = ({ retire, abandonDamaged }: RotateOptions) => ({
  ...(retire && { retire: true }),
  ...(abandonDamaged && { abandon_damaged: true }),
});

async function lastRotation(keyRotations: Client['keyRotations']): Promise<KeyRotation> {
  try {
    return await keyRotations.get();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new CommandError('The keys of the store have never been rotated.');
  }
}

const POLL_MS = SECOND_MS;

/** Interrupting it does not interrupt the rotation. */
async function untilSettled(
  first: KeyRotation,
  read: () => Promise<KeyRotation>,
  printer: Printer,
): Promise<KeyRotation> {
  let told = '';
  for (let rotation = first; ; rotation = await read()) {
    if (isSettled(rotation) || rotation.problem !== undefined) return rotation;
    const text = progressOf(rotation);
    if (text !== told) printer.note(text);
    told = text;
    await delay(POLL_MS);
  }
}

function progressOf({ stage, idle, waiting_for: waiting, collection, resealed }: KeyRotation): string {
  if (idle) return 'Waiting for a garbage collector: none is running, so the rotation cannot proceed.';
  if (waiting.length > 0) return `Waiting until these have the keys: ${waiting.join(', ')}`;
  const where = collection === undefined ? '' : `, now in ${collection}`;
  return `${stage}: ${resealed} secrets encrypted again${where}`;
}
