import type { Command } from 'commander';
import type { Client, Execution } from '@switchyard/client';
import { asOperation } from '../exit-codes';
import { withExecutionDisplay, type ExecutionDisplay } from '../program/execution-options';
import { RUN_ATTRIBUTES, showExecutions } from '../output/show-execution';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withDisplay, withFormats, type CommonOptions } from '../program/common-options';
import { reportError } from '../program/report-error';

export function defineExecutionCancel(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('cancel').description('Cancel executions')))
    .argument('<id...>', 'ids of executions')
    .action(async (ids: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const printer = context.printer(options);
      const asked = await changeEach(context, ids, (id) => asOperation(client.executions.cancel(id)));
      if (printer.format) return printer.document(asked.map(({ id, status }) => ({ id, status })));
      for (const { id } of asked) printer.line(`execution with id ${id} canceled.`);
    });
}

export const defineExecutionPause = (group: Command, context: CommandContext): void =>
  defineChange(group, context, 'pause', 'Pause workflows: running actions finish, no new ones start', (client, id) =>
    client.executions.pause(id),
  );

export const defineExecutionResume = (group: Command, context: CommandContext): void =>
  defineChange(group, context, 'resume', 'Resume paused workflows', (client, id) => client.executions.resume(id));

function defineChange(
  group: Command,
  context: CommandContext,
  verb: string,
  description: string,
  change: (client: Client, id: string) => Promise<Execution>,
): void {
  withExecutionDisplay(withDisplay(group.command(verb).description(description)))
    .argument('<id...>', 'ids of executions')
    .action(async (ids: string[], options: CommonOptions & ExecutionDisplay) => {
      const client = await context.client(options);
      const changed = await changeEach(context, ids, (id) => change(client, id));
      if (changed.length === 0) return;
      const { timezone } = context.settings();
      const show = { client, attributes: RUN_ATTRIBUTES, elapsed: false, timezone, many: ids.length > 1 };
      await showExecutions(context.printer(options), changed, options, show);
    });
}

/** Changes executions one by one. A refusal is reported on stderr and fails the command, but the others continue. */
async function changeEach(
  context: CommandContext,
  ids: readonly string[],
  change: (id: string) => Promise<Execution>,
): Promise<Execution[]> {
  if (ids.length === 1) return [await change(ids[0] ?? '')];
  const changed: Execution[] = [];
  for (const id of ids) {
    try {
      changed.push(await change(id));
    } catch (error) {
      context.exitCode = reportError(error, context, false);
    }
  }
  return changed;
}
