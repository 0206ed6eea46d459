import { Argument, type Command } from 'commander';
import type { Client } from '@switchyard/client';
import { CommandError, statusExitCode, interruptible } from '../exit-codes';
import { RUN_ATTRIBUTES, showExecutions } from '../output/show-execution';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withFormats, type CommonOptions } from '../program/common-options';
import { completedText, tail } from './start';

/** `svc execution output` prints stored output. */
export function defineExecutionOutput(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('output').description('Print the output of an execution so far')))
    .argument('<id>', 'id of an execution')
    .option('--type <type>', 'Limit to this type: stdout, stderr, ...')
    .action(async (id: string, options: CommonOptions & { type?: string }) => {
      const client = await context.client(options);
      const output = await client.executions.output(id, options.type);
      const printer = context.printer(options);
      if (printer.format) await printer.document({ id, output });
      else context.terminal.stdout.write(output);
    });
}

interface TailCommandOptions extends CommonOptions {
  type?: string;
  includeMetadata?: boolean;
}

/** `svc execution tail` prints stored and new output. */
export function defineExecutionTail(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('tail')))
    .description('Show the output of an execution until it ends; for a workflow, the output of all its tasks')
    .addArgument(new Argument('[id]', 'id of an execution').default('last'))
    .option('--type <type>', 'Limit to this type: stdout, stderr, ...')
    .option('--include-metadata', 'Prefix each chunk with its time and type')
    .action(async (given: string, options: TailCommandOptions) => {
      const client = await context.client(options);
      const printer = context.printer(options);
      const id = given === 'last' ? await newest(client) : given;
      const execution = await client.executions.get(id, {
        include: ['id', 'status', 'action.ref', 'action.runner_type'],
      });
      const ended = await interruptible(
        () => `The execution continues: svc execution get ${id}.`,
        async (signal) => {
          const { type, includeMetadata: metadata } = options;
          await tail(context, client, execution, { signal, type, metadata, ownStream: printer.format !== undefined });
          return client.executions.wait(id, { signal, attributes: { include: printer.format ? WHOLE : ['status'] } });
        },
      );
      context.exitCode = statusExitCode(ended.status);
      if (!printer.format) return printer.line(completedText(ended));
      const { timezone } = context.settings();
      await showExecutions(printer, [ended], options, { client, attributes: RUN_ATTRIBUTES, elapsed: false, timezone });
    });
}

/** The runner type shows whether the execution is a workflow. */
const WHOLE = [...RUN_ATTRIBUTES, 'action.runner_type'];

async function newest(client: Client): Promise<string> {
  // Tasks of workflows are left out: users mean the executions that they requested.
  const filters = { parent: 'null', sort_desc: 'True' };
  const { items } = await client.executions.list({ limit: 1, filters, include: ['id'] });
  const [execution] = items;
  if (!execution) throw new CommandError('There are no executions yet.');
  return execution.id;
}
