import { createInterface } from 'node:readline/promises';
import { isNotFound, type Action, type Client } from '@switchyard/client';
import type { Command } from 'commander';
import { asOperation, CommandError, exitCodes } from '../exit-codes';

import type { CommandContext } from '../program/command-context';
import { withCredentials, withDisplay, withFormats, withPack, type CommonOptions } from '../program/common-options';
import { defineCreate, defineGet, defineSwitch, defineUpdate, tellDeleted } from '../program/resource-commands';
import { attributesFor } from '../program/show-records';
import { defineRun } from './run';

const COLUMNS = ['ref', 'pack', 'description'];

const actions = {
  title: 'Action',
  one: 'an action',
  many: 'actions',
  first: ['id', 'uid', 'ref', 'pack', 'name', 'description', 'enabled', 'entry_point', 'runner_type', 'parameters'],
  of: (client: Client) => client.actions,
};

export function defineAction(group: Command, context: CommandContext): void {
  withPack(withDisplay(group.command('list').description('List actions'))).action(
    async (options: CommonOptions & { pack?: string }) => {
      const client = await context.client(options);
      const include = attributesFor(options.attr, COLUMNS);
      const found = await client.actions.list({ include, filters: { pack: options.pack } });
      await context.printer(options).list(found, COLUMNS);
    },
  );
  defineGet(group, context, actions, (client, ref) => client.actions.get(ref));
  defineCreate(group, context, actions);
  defineUpdate(group, context, actions);
  defineDelete(group, context);
  defineClone(group, context);
  defineSwitch(group, context, actions, async (client, named, enabled) => {
    const action: Partial<Action> = await client.actions.get(named);
    // The server builds the ref from pack and name.
    const { ref: _ref, ...rest } = action;
    return client.actions.update(action.id ?? named, { ...rest, enabled });
  });
  defineRun(group.command('execute').description('Start an action without waiting for its result'), context, true);
}

function defineDelete(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('delete').description('Delete an action')))
    .argument('<ref>', 'ref or id of an action')
    .option('-r, --remove-files', 'Also delete its files on the server')
    .action(async (ref: string, options: CommonOptions & { removeFiles?: boolean }) => {
      const client = await context.client(options);
      await asOperation(client.actions.delete(ref, { removeFiles: options.removeFiles ?? false }));
      await tellDeleted(context, options, ref);
    });
}

interface CloneOptions extends CommonOptions {
  force?: boolean;
}

function defineClone(group: Command, context: CommandContext): void {
  withDisplay(group.command('clone').description('Copy an action with its files'))
    .argument('<source>', 'ref of the action to copy')
    .argument('<pack>', 'pack of the copy')
    .argument('<name>', 'name of the copy')
    .option('-f, --force', 'Overwrite an existing action')
    .action(async (source: string, pack: string, name: string, options: CloneOptions) => {
      const client = await context.client(options);
      const overwrite = options.force === true || (await confirmed(context, client, `${pack}.${name}`));
      const action = await asOperation(client.actions.clone(source, { pack, name, overwrite }));
      await context.printer(options).records([action], { first: actions.first });
    });
}

/** Asks before overwriting an action. Returns false if there is nothing to overwrite. */
async function confirmed({ terminal }: CommandContext, client: Client, ref: string): Promise<boolean> {
  const existing = await client.actions.get(ref).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (!existing) return false;
  const lines = createInterface({ input: terminal.stdin, output: terminal.stderr });
  try {
    const answer = await lines.question('The destination action already exists. Do you want to overwrite? (y/n): ');
    if (/^y(es)?$/i.test(answer.trim())) return true;
    throw new CommandError('Action is not cloned.', exitCodes.usage.code);
  } finally {
    lines.close();
  }
}
