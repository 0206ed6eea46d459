import type { SystemStatus } from '@switchyard/client';
import type { Command } from 'commander';
import type { Printer } from '../output/printer';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withFormats, type CommonOptions } from '../program/common-options';

/** `svc status`: what is running, what waits, and why. */
export function defineStatus(command: Command, context: CommandContext): void {
  withFormats(withCredentials(command)).action(async () => {
    const options = command.optsWithGlobals<CommonOptions>();
    const status = await (await context.client(options)).status();
    const printer = context.printer(options);
    if (printer.format) await printer.document(status);
    else await showStatus(status, printer);
  });
}

async function showStatus(status: SystemStatus, printer: Printer): Promise<void> {
  const { services, leaders, executions, pools, queues, problems } = status;
  const replicas = services.flatMap(({ service, replicas: each }) => each.map((replica) => ({ service, ...replica })));
  const tables: readonly [title: string, rows: readonly object[], columns: readonly string[]][] = [
    ['Running processes', replicas, ['service', 'host', 'pid', 'version', 'started_at', 'slots']],
    ['Leaders', leaders, ['leadership', 'host', 'pid', 'elected_at']],
    ['Unfinished executions', executions, ['status', 'count', 'oldest_at']],
    ['Pools', pools, ['pool', 'waiting', 'oldest_at', 'active', 'slots']],
    ['Queues', queues, ['service', 'waiting', 'oldest_at']],
  ];
  for (const [title, rows, columns] of tables) {
    if (rows.length === 0) continue;
    printer.line(title);
    await printer.list(rows, columns);
  }
  printer.line(problems.length === 0 ? 'No problems.' : 'Problems');
  for (const { message, oldest_at: oldest } of problems)
    printer.line(
      `- ${message}${oldest === undefined ? '' : ` The oldest since ${printer.shown('oldest_at', oldest)}.`}`,
    );
}
