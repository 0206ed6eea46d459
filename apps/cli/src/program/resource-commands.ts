import type { Client } from '@switchyard/client';
import type { Command } from 'commander';
import { asChangeOfExisting, asOperation, usageError } from '../exit-codes';
import type { CommandContext } from './command-context';
import { withCredentials, withDisplay, withFormats, type CommonOptions } from './common-options';
import { readResourceFile } from './resource-file';
import { getEach, tellUser } from './show-records';

/** The names of a kind of resource, and how its property tables look. */
export interface ResourceTexts {
  /** In messages: `Rule`. */
  readonly title: string;
  /** In help: `a rule` and `rules`. */
  readonly one: string;
  readonly many: string;
  /** What an argument may be: `ref or id`. */
  readonly by?: { readonly name: string; readonly one: string; readonly many: string };
  /** The first attributes in property tables. The others follow by name. */
  readonly first: readonly string[];
  /** The only attributes in property tables, unless the user chooses others. */
  readonly columns?: readonly string[];
}

/** A resource that is described by a file, and has a reference and an id. */
export interface ResourceKind<T extends { id: string }> extends ResourceTexts {
  of(client: Client): {
    get(refOrId: string): Promise<T>;
    create(content: Record<string, unknown>): Promise<T>;
    update(refOrId: string, content: Record<string, unknown>): Promise<T>;
    delete(refOrId: string): Promise<void>;
  };
}

/** Defines `get`, `create`, `update` and `delete`. */
export function defineResource<T extends { id: string }>(
  group: Command,
  context: CommandContext,
  kind: ResourceKind<T>,
): void {
  defineGet(group, context, kind, (client, ref) => kind.of(client).get(ref));
  defineCreate(group, context, kind);
  defineUpdate(group, context, kind);
  withFormats(withCredentials(group.command('delete').description(`Delete ${kind.one}`)))
    .argument('<ref>', refOf(kind))
    .action(async (ref: string, options: CommonOptions) => {
      await asOperation(kind.of(await context.client(options)).delete(ref));
      await tellDeleted(context, options, ref);
    });
}

export const tellDeleted = (context: CommandContext, options: CommonOptions, id: string): Promise<void> =>
  tellUser(context.printer(options), `Resource with id "${id}" has been successfully deleted.`, { id, deleted: true });

const REF = { name: 'ref', one: 'ref or id', many: 'refs or ids' };

const refOf = ({ one, by = REF }: ResourceTexts): string => `${by.one} of ${one}`;

/** Defines `get`, which shows one or more records. @param shown how messages show an id that may be secret */
export function defineGet(
  group: Command,
  context: CommandContext,
  { title, many, by = REF, first, columns }: ResourceTexts,
  get: (client: Client, id: string) => Promise<object>,
  shown?: (id: string) => string,
): void {
  withDisplay(group.command('get').description(`Show ${many}`))
    .argument(`<${by.name}...>`, `${by.many} of ${many}`)
    .action(async (ids: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const found = await getEach(context, title, ids, (id) => get(client, id), shown);
      const table = { first, many: ids.length > 1, ...(columns ? { columns } : {}) };
      if (found.length > 0) await context.printer(options).records(found, table);
    });
}

export function defineCreate<T extends { id: string }>(
  group: Command,
  context: CommandContext,
  kind: Pick<ResourceKind<T>, 'one' | 'first'> & {
    of(client: Client): Pick<ReturnType<ResourceKind<T>['of']>, 'create'>;
  },
): void {
  withDisplay(group.command('create').description(`Create ${kind.one} from a file`))
    .argument('<file>', 'JSON or YAML file with the definition')
    .action(async (file: string, options: CommonOptions) => {
      const content = await readResourceFile(file);
      const created = await asOperation(kind.of(await context.client(options)).create(content));
      await context.printer(options).records([created], { first: kind.first });
    });
}

export function defineUpdate<T extends { id: string }>(
  group: Command,
  context: CommandContext,
  kind: ResourceTexts & { of(client: Client): Pick<ReturnType<ResourceKind<T>['of']>, 'get' | 'update'> },
): void {
  withDisplay(group.command('update').description(`Replace ${kind.one} with the definition in a file`))
    .argument('<ref>', refOf(kind))
    .argument('<file>', 'JSON or YAML file with the definition')
    .action(async (ref: string, file: string, options: CommonOptions) => {
      const content = await readResourceFile(file);
      const resources = kind.of(await context.client(options));
      const { id } = await asChangeOfExisting(resources.get(ref));
      const { id: given = id } = content;
      if (given !== id)
        throw usageError(
          `The file describes ${kind.one} with the id ${JSON.stringify(given)}, but "${ref}" has "${id}".`,
        );
      const changed = await asChangeOfExisting(resources.update(id, content));
      await context.printer(options).records([changed], { first: kind.first });
    });
}

/** Defines `enable` and `disable`. @param effect what enabling allows, for the help */
export function defineSwitch(
  group: Command,
  context: CommandContext,
  kind: ResourceTexts & { readonly effect?: string },
  setEnabled: (client: Client, id: string, enabled: boolean) => Promise<object>,
): void {
  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    const title = `${enabled ? 'Enable' : 'Disable'} ${kind.one}${kind.effect ? ` (${kind.effect})` : ''}`;
    withDisplay(group.command(verb).description(title))
      .argument(`<${(kind.by ?? REF).name}>`, refOf(kind))
      .action(async (id: string, options: CommonOptions) => {
        const client = await context.client(options);
        const changed = await asChangeOfExisting(setEnabled(client, id, enabled));
        await context.printer(options).records([changed], { first: kind.first });
      });
  }
}
