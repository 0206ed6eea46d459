import type { Command } from 'commander';
import type { Execution } from '@switchyard/client';
import { operation } from '../exit-codes';
import { GET_ATTRIBUTES, showExecutions, withExecutionDisplay, type ExecutionDisplay } from '../output/show-execution';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withDisplay, withFormats, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/get-each';
import { defineExecutionList } from './execution-list';
import { defineExecutionOutput, defineExecutionTail } from './execution-output';
import { describeAction, follow, startParameters, withStartOptions, type StartOptions } from './run';

export function defineExecution(group: Command, context: CommandContext): void {
  defineExecutionList(group, context);
  defineGet(group, context);
  defineCancel(group, context);
  defineExecutionOutput(group, context);
  defineExecutionTail(group, context);
  defineRerun(group, context);
}

function defineGet(group: Command, context: CommandContext): void {
  withExecutionDisplay(withDisplay(group.command('get').description('show executions')))
    .argument('<id...>', 'ids of executions')
    .option('-x, --exclude-result', 'leave out the result, which may be large')
    .action(async (ids: string[], options: CommonOptions & ExecutionDisplay & { excludeResult?: boolean }) => {
      const client = await context.client(options);
      const attributes = options.excludeResult ? { exclude: ['result'] } : {};
      const { found, exitCode } = await getEach(context, 'Execution', ids, (id) =>
        client.executions.get(id, attributes),
      );
      context.exitCode = exitCode;
      if (found.length === 0) return;
      const { timezone } = context.settings();
      await showExecutions(context.printer(options), found, options, {
        attributes: GET_ATTRIBUTES,
        elapsed: true,
        timezone,
        many: ids.length > 1,
      });
    });
}

function defineCancel(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('cancel').description('cancel executions')))
    .argument('<id...>', 'ids of executions')
    .action(async (ids: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const printer = context.printer(options);
      const asked: Execution[] = [];
      for (const id of ids) asked.push(await operation(client.executions.cancel(id)));
      if (printer.format) return printer.document(asked.map(({ id, status }) => ({ id, status })));
      for (const { id } of asked) printer.line(`execution with id ${id} canceled.`);
    });
}

function defineRerun(group: Command, context: CommandContext): void {
  withStartOptions(group.command('re-run').description('run an execution again, with other parameters where given'))
    .argument('<id>', 'id of the execution to repeat')
    .argument('[parameters...]', 'key=value: parameters to change')
    .option('--tail', 'show the output while it runs')
    .action(async (id: string, words: string[], options: StartOptions) => {
      const client = await context.client(options);
      const former = await client.executions.get(id, { include: ['action.ref', 'action.runner_type'] });
      const typed = words.length > 0 ? await describeAction(client, former.action.ref) : undefined;
      const parameters = typed ? startParameters(context, typed.action, typed.definitions, words, options) : {};
      const rerun = client.executions.rerun(id, { parameters, delayMs: options.delay });
      await follow(context, client, await operation(rerun), options);
    });
}
