import { isPlainObject } from '@switchyard/base';
import type { ApiKeyToLoad } from '@switchyard/client';
import type { Command } from 'commander';
import { CommandError, operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { readResourceList } from './resource-file';

/** `svc apikey load`: reads what `svc apikey list -dj --show-secrets` prints. */
export function defineApiKeyLoad(group: Command, context: CommandContext, columns: readonly string[]): void {
  withDisplay(group.command('load').description('write the API keys of a JSON or YAML file; the keys stay valid'))
    .argument('<file>', 'one key or a list of keys: user, key_hash, id, metadata, enabled')
    .action(async (file: string, options: CommonOptions) => {
      // Everything is looked at before anything is written.
      const keys = (await readResourceList(file)).map(apiKeyOf);
      const client = await context.client(options);
      const written: object[] = [];
      for (const key of keys) written.push(await operation(client.apiKeys.load(key)));
      await context.printer(options).list(written, columns);
    });
}

function apiKeyOf(item: unknown): ApiKeyToLoad {
  if (!isPlainObject(item)) throw new CommandError(`An API key has to be an object, got ${JSON.stringify(item)}.`);
  const { id, user, key_hash, metadata = {}, enabled = false } = item;
  if (typeof user !== 'string') throw new CommandError(`An API key needs its "user", a text.`);
  if (typeof key_hash !== 'string') throw new CommandError(`The API key of "${user}" needs its "key_hash", a text.`);
  if (!isPlainObject(metadata)) throw new CommandError(`"metadata" of the API key of "${user}" has to be an object.`);
  if (typeof enabled !== 'boolean') throw new CommandError(`"enabled" of the API key of "${user}" is not a boolean.`);
  if (id !== undefined && typeof id !== 'string')
    throw new CommandError(`"id" of the API key of "${user}" is no text.`);
  return { user, key_hash, metadata, enabled, ...(id === undefined ? {} : { id }) };
}
