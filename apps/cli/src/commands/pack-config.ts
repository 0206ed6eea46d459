import type { Command } from 'commander';
import { operation } from '../exit-codes';
import { askObject } from '../forms/ask-object';
import { withLineReader } from '../forms/line-reader';
import { reviewValues } from '../forms/review-values';
import { withAnswers, withPresets } from '../forms/with-presets';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withFormats, type CommonOptions } from '../program/common-options';
import { tell } from '../program/get-each';

export function defineConfig(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('config').description('configure a pack, question by question')))
    .argument('<ref>', 'ref of the pack')
    .action(async (pack: string, options: CommonOptions) => {
      const { terminal } = context;
      const { configs } = await context.client(options);
      const { attributes } = await configs.schema(pack);
      const before = (await configs.find(pack))?.values ?? {};
      const schema = withPresets({ type: 'object', properties: attributes }, before);
      const answers = await withLineReader(terminal, (reader) => askObject(reader, schema));
      const values = withAnswers(before, answers);
      const agreed = terminal.stdin.isTTY ? await reviewValues(terminal, `${pack}.yaml`, values) : values;
      const saved = await operation(configs.put(pack, agreed));
      await tell(context.printer(options), `The configuration of the pack "${pack}" is saved.`, { ...saved });
    });
}
