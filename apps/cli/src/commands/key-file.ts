import { existsSync, readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { isPlainObject, messageOf, SECOND_MS } from '@switchyard/base';
import type { Client, Key, KeyToSet } from '@switchyard/client';
import type { Command } from 'commander';
import { writePrivateFile } from '../credentials/private-file';
import { CommandError, exitCodes, asOperation } from '../exit-codes';
import { parseStructured, structuredText } from '../output/structured';
import { pick } from '../output/value-path';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withDisplay, withFormats, type CommonOptions } from '../program/common-options';

const COLUMNS = ['name', 'value', 'secret', 'scope', 'user', 'ttl'];

/** `svc key load` */
export function defineLoad(group: Command, context: CommandContext): void {
  withDisplay(group.command('load').description('Load items from a JSON or YAML file'))
    .argument('<file>', 'one item or a list of items: name, value, scope, user, secret, encrypted, ttl, description')
    .option('-c, --convert', 'Convert values that are not strings to JSON')
    .action(async (file: string, { convert, ...options }: CommonOptions & { convert?: boolean }) => {
      // All items are checked before the first one is written.
      const items = (await readItems(file)).map((item) => itemToSet(item, convert ?? false));
      const client = items.length > 0 ? await context.client(options) : undefined;
      const written: KeyToSet[] = [];
      for (const item of items) written.push(await writeItem(client as Client, item));
      await context.printer(options).list(written, COLUMNS);
    });
}

/** @returns the item as given, with the stored value, which is encrypted for a secret */
async function writeItem({ keys }: Client, item: KeyToSet): Promise<KeyToSet> {
  const { value } = await asOperation(keys.set(item));
  return { ...item, value };
}

async function readItems(file: string): Promise<unknown[]> {
  const path = resolve(file);
  if (!existsSync(path)) throw new CommandError(`File "${path}" does not exist.`);
  let content: unknown;
  try {
    content = await parseStructured(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandError(`Cannot read the file "${path}": ${messageOf(error)}`);
  }
  if (content === null || content === undefined) return [];
  return Array.isArray(content) ? (content as unknown[]) : [content];
}

const OPTIONAL = {
  user: 'string',
  description: 'string',
  secret: 'boolean',
  encrypted: 'boolean',
  ttl: 'number',
} as const;

function itemToSet(item: unknown, convert: boolean): KeyToSet {
  if (!isPlainObject(item)) throw new CommandError(`Each item must be an object, got ${typeOf(item)}`);
  const { name, value, scope = 'system' } = item;
  if (typeof name !== 'string') throw new CommandError(`'name': each item needs a name, which must be a string`);
  if (value === undefined) throw new CommandError(`'value': item '${name}' has no value`);
  if (typeof scope !== 'string') throw new CommandError(`Item '${name}' has a scope that is not a string.`);
  if (typeof value !== 'string' && !convert)
    throw new CommandError(
      `Item '${name}' has a value that is not a string. Either pass in the -c/--convert option to convert non-string types to JSON strings automatically, or convert the data to a string in the file`,
    );
  const optional = Object.entries(OPTIONAL).flatMap(([field, type]) => {
    const given = item[field] ?? undefined;
    if (given !== undefined && typeof given !== type)
      throw new CommandError(`Item '${name}' has a ${field} that is not a ${type}.`);
    return given === undefined ? [] : [[field, given] as const];
  });
  return { name, value: typeof value === 'string' ? value : jsonText(value), scope, ...Object.fromEntries(optional) };
}

/** The type of a value. The value itself may be a secret. */
const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`;

/** JSON with a space after each comma and colon, as other clients write it. Otherwise unchanged values would look changed. */
function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (!isPlainObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}: ${jsonText(item)}`)
    .join(', ')}}`;
}

interface ExportOptions extends CommonOptions {
  prefix?: string;
  decrypt?: boolean;
  scope: string;
  user?: string;
}

/** `svc key export` writes what `svc key load` reads. */
export function defineExport(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('export').description('Export items to a file that "key load" reads')))
    .argument('[file]', '.json, .yaml or .yml file, readable by its owner only (default: standard output)')
    .option('--prefix <text>', 'Limit to names with this prefix')
    .option('-d, --decrypt', 'Decrypt secret values; without this they can only be loaded where the same key is used')
    .option('-s, --scope <scope>', 'Limit to this scope: system, user for your own items, or all', 'all')
    .option('-u, --user <name>', 'Limit to items of this user')
    .action(async (file: string | undefined, { prefix, decrypt, scope, user, ...options }: ExportOptions) => {
      const client = await context.client(options);
      const found = await client.keys.all({ prefix, decrypt, scope, user });
      const items = found
        .filter(({ unreadable }) => unreadable === undefined)
        .map((key) => withoutNulls(exported(key)));
      const printer = context.printer(options);
      const lost = found.filter(({ unreadable }) => unreadable !== undefined);
      if (lost.length > 0) {
        printer.note(`Left out unreadable items (see svc doctor): ${lost.map(({ id }) => id).join(', ')}`);
        context.exitCode = exitCodes.failed.code;
      }
      if (file === undefined) return printer.document(items);
      const format = printer.format ?? (['.yaml', '.yml'].includes(extname(file)) ? 'yaml' : 'json');
      writePrivateFile(file, await structuredText(items, format));
      printer.note(`Wrote ${items.length} items to ${file}`);
    });
}

const withoutNulls = (item: object): Record<string, unknown> => pick(item, Object.keys(item));

function exported({ name, value, scope, user, secret, encrypted, description, expire_timestamp: expiry }: Key) {
  const ttl = expiry === undefined ? undefined : Math.max(1, Math.ceil((Date.parse(expiry) - Date.now()) / SECOND_MS));
  return {
    name,
    value,
    scope,
    user,
    description,
    ...(secret ? { secret } : {}),
    ...(encrypted ? { encrypted } : {}),
    ttl,
  };
}
