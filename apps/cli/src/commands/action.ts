import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { isNotFound, type Action, type Client } from '@switchyard/client';
import { operation, usageError, CommandError, exitCodes } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withDisplay, withFormats, type CommonOptions } from '../program/common-options';
import { getEach, tell } from '../program/get-each';
import { readResourceFile } from './resource-file';
import { defineRun } from './run';

export function defineAction(group: Command, context: CommandContext): void {
  defineList(group, context);
  defineGet(group, context);
  defineCreate(group, context);
  defineUpdate(group, context);
  defineDelete(group, context);
  defineClone(group, context);
  defineSwitch(group, context, 'enable', true);
  defineSwitch(group, context, 'disable', false);
  defineRun(group.command('execute').description('start an action without waiting for it'), context, true);
}

/** The order of property tables; everything else follows by name. */
const FIRST = [
  'id',
  'uid',
  'ref',
  'pack',
  'name',
  'description',
  'enabled',
  'entry_point',
  'runner_type',
  'parameters',
];

function defineList(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list actions'))
    .option('-p, --pack <pack>', 'only of this pack')
    .action(async (options: CommonOptions & { pack?: string }) => {
      const client = await context.client(options);
      const columns = ['ref', 'pack', 'description'];
      const include = options.attr?.includes('all')
        ? undefined
        : (options.attr ?? columns).map((path) => path.split(/[.[]/)[0] ?? path);
      const actions = await client.actions.list({ include, filters: { pack: options.pack } });
      await context.printer(options).list(actions, columns);
    });
}

function defineGet(group: Command, context: CommandContext): void {
  withDisplay(group.command('get').description('show actions'))
    .argument('<ref...>', 'refs or ids of actions')
    .action(async (refs: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'Action', refs, (ref) => client.actions.get(ref));
      context.exitCode = exitCode;
      if (found.length > 0) await context.printer(options).records(found, { first: FIRST, many: refs.length > 1 });
    });
}

function defineCreate(group: Command, context: CommandContext): void {
  withDisplay(group.command('create').description('create an action from a file'))
    .argument('<file>', 'JSON or YAML file that describes it')
    .action(async (file: string, options: CommonOptions) => {
      const content = await readResourceFile(file);
      const client = await context.client(options);
      const action = await operation(client.actions.create(content));
      await context.printer(options).records([action], { first: FIRST });
    });
}

function defineUpdate(group: Command, context: CommandContext): void {
  withDisplay(group.command('update').description('replace an action by what a file says'))
    .argument('<ref>', 'ref or id of the action')
    .argument('<file>', 'JSON or YAML file that describes it')
    .action(async (ref: string, file: string, options: CommonOptions) => {
      const content = await readResourceFile(file);
      const client = await context.client(options);
      const { id } = await operation(client.actions.get(ref));
      if (content['id'] !== undefined && content['id'] !== id) {
        throw usageError(
          `The file is about the action with the id ${JSON.stringify(content['id'])}, but "${ref}" has "${id}".`,
        );
      }
      const action = await operation(client.actions.update(id, content));
      await context.printer(options).records([action], { first: FIRST });
    });
}

function defineDelete(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('delete').description('delete an action')))
    .argument('<ref>', 'ref or id of the action')
    .option('-r, --remove-files', 'also delete its files from the disk of the server')
    .action(async (ref: string, options: CommonOptions & { removeFiles?: boolean }) => {
      const client = await context.client(options);
      await operation(client.actions.delete(ref, { removeFiles: options.removeFiles ?? false }));
      const sentence = `Resource with id "${ref}" has been successfully deleted.`;
      await tell(context.printer(options), sentence, { id: ref, deleted: true });
    });
}

interface CloneOptions extends CommonOptions {
  force?: boolean;
}

function defineClone(group: Command, context: CommandContext): void {
  withDisplay(group.command('clone').description('copy an action with its files'))
    .argument('<source>', 'ref of the action to copy')
    .argument('<pack>', 'pack of the copy')
    .argument('<name>', 'name of the copy')
    .option('-f, --force', 'overwrite an action of that name')
    .action(async (source: string, pack: string, name: string, options: CloneOptions) => {
      const client = await context.client(options);
      const overwrite = options.force === true || (await confirmed(context, client, `${pack}.${name}`));
      const action = await operation(client.actions.clone(source, { pack, name, overwrite }));
      await context.printer(options).records([action], { first: FIRST });
    });
}

/** Asks before something is overwritten. Returns false when there is nothing to overwrite. */
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

function defineSwitch(group: Command, context: CommandContext, verb: string, enabled: boolean): void {
  withDisplay(group.command(verb).description(`${verb} an action`))
    .argument('<ref>', 'ref or id of the action')
    .action(async (ref: string, options: CommonOptions) => {
      const client = await context.client(options);
      const action: Partial<Action> = await operation(client.actions.get(ref));
      // The ref is made of pack and name.
      const { ref: _ref, ...rest } = action;
      const changed = await operation(client.actions.update(action.id ?? ref, { ...rest, enabled }));
      await context.printer(options).records([changed], { first: FIRST });
    });
}
