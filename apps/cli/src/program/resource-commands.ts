import type { Client } from '@switchyard/client';
import type { Command } from 'commander';
import { readResourceFile } from '../commands/resource-file';
import { operation, usageError } from '../exit-codes';
import type { CommandContext } from './command-context';
import { withCredentials, withDisplay, withFormats, type CommonOptions } from './common-options';
import { getEach, tell } from './get-each';

type Content = Record<string, unknown>;

/** What has the same commands as other resources: they are described by a file, and have a reference and an id. */
export interface ResourceKind<T extends { id: string }> {
  /** In messages: `Rule`. */
  readonly title: string;
  /** In help: `rule`. */
  readonly noun: string;
  /** The order of property tables; everything else follows by name. */
  readonly first: readonly string[];
  of(client: Client): {
    get(refOrId: string): Promise<T>;
    create(content: Content): Promise<T>;
    update(refOrId: string, content: Content): Promise<T>;
    delete(refOrId: string): Promise<void>;
  };
}

/** `get`, `create`, `update` and `delete`. */
export function defineResource<T extends { id: string }>(
  group: Command,
  context: CommandContext,
  kind: ResourceKind<T>,
): void {
  defineGet(group, context, kind);
  defineCreate(group, context, kind);
  defineUpdate(group, context, kind);
  defineDelete(group, context, kind);
}

function defineGet<T extends { id: string }>(group: Command, context: CommandContext, kind: ResourceKind<T>): void {
  withDisplay(group.command('get').description(`show ${kind.noun}s`))
    .argument('<ref...>', `refs or ids of ${kind.noun}s`)
    .action(async (refs: string[], options: CommonOptions) => {
      const resources = kind.of(await context.client(options));
      const { found, exitCode } = await getEach(context, kind.title, refs, (ref) => resources.get(ref));
      context.exitCode = exitCode;
      if (found.length > 0) await context.printer(options).records(found, { first: kind.first, many: refs.length > 1 });
    });
}

function defineCreate<T extends { id: string }>(group: Command, context: CommandContext, kind: ResourceKind<T>): void {
  withDisplay(group.command('create').description(`create a ${kind.noun} from a file`))
    .argument('<file>', 'JSON or YAML file that describes it')
    .action(async (file: string, options: CommonOptions) => {
      const content = await readResourceFile(file);
      const created = await operation(kind.of(await context.client(options)).create(content));
      await context.printer(options).records([created], { first: kind.first });
    });
}

function defineUpdate<T extends { id: string }>(group: Command, context: CommandContext, kind: ResourceKind<T>): void {
  withDisplay(group.command('update').description(`replace a ${kind.noun} by what a file says`))
    .argument('<ref>', `ref or id of the ${kind.noun}`)
    .argument('<file>', 'JSON or YAML file that describes it')
    .action(async (ref: string, file: string, options: CommonOptions) => {
      const content = await readResourceFile(file);
      const resources = kind.of(await context.client(options));
      const { id } = await operation(resources.get(ref));
      const { id: given = id } = content;
      if (given !== id)
        throw usageError(
          `The file is about the ${kind.noun} with the id ${JSON.stringify(given)}, but "${ref}" has "${id}".`,
        );
      const changed = await operation(resources.update(id, content));
      await context.printer(options).records([changed], { first: kind.first });
    });
}

function defineDelete<T extends { id: string }>(group: Command, context: CommandContext, kind: ResourceKind<T>): void {
  withFormats(withCredentials(group.command('delete').description(`delete a ${kind.noun}`)))
    .argument('<ref>', `ref or id of the ${kind.noun}`)
    .action(async (ref: string, options: CommonOptions) => {
      await operation(kind.of(await context.client(options)).delete(ref));
      const sentence = `Resource with id "${ref}" has been successfully deleted.`;
      await tell(context.printer(options), sentence, { id: ref, deleted: true });
    });
}
