import { setTimeout as sleep } from 'node:timers/promises';
import type { SensorLog } from '@switchyard/model';
import type { Command } from 'commander';
import { interruptible } from '../exit-codes';
import type { Printer } from '../output/printer';
import type { CommandContext } from '../program/command-context';
import { withCredentials, withFormats, wholeNumberOption, type CommonOptions } from '../program/common-options';

interface SensorLogOptions extends CommonOptions {
  lines?: number;
  follow?: boolean;
}

/** How often new lines are asked for. */
const FOLLOW_MS = 1000;

/** `svc sensor log` prints the last lines that a sensor wrote, and with `--follow` those that come. */
export function defineSensorLog(group: Command, context: CommandContext): void {
  withFormats(withCredentials(group.command('log').description('Print the last lines that a sensor wrote')))
    .argument('<ref>', 'ref or id of a sensor')
    .option('-n, --lines <count>', 'Print only so many of the last lines', wholeNumberOption(0))
    .option('-f, --follow', 'Go on with the lines that come, until interrupted')
    .action(async (ref: string, { lines, follow, ...options }: SensorLogOptions) => {
      const { sensors } = await context.client(options);
      const printer = context.printer(options);
      const log = await sensors.log(ref, lines === undefined ? {} : { lines });
      if (printer.format && !follow) return printer.document(log);
      await printLines(printer, log);
      if (!follow) return;
      await interruptible(
        () => 'The sensor continues.',
        async (signal) => {
          for (let after = log.next; ;) {
            await sleep(FOLLOW_MS, undefined, { signal });
            const more = await sensors.log(ref, { after });
            await printLines(printer, more);
            after = more.next;
          }
        },
      );
    });
}

async function printLines(printer: Printer, { lines }: SensorLog): Promise<void> {
  for (const line of lines) {
    if (printer.format) await printer.document(line);
    else printer.line(`${printer.shown('timestamp', line.timestamp)} ${line.level ?? line.source}: ${line.text}`);
  }
}
