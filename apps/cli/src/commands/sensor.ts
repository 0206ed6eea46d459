import type { Command } from 'commander';
import { operation } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { withDisplay, type CommonOptions } from '../program/common-options';
import { getEach } from '../program/get-each';

const COLUMNS = ['ref', 'pack', 'description', 'enabled', 'state.name'];
const FIRST = ['id', 'uid', 'ref', 'pack', 'name', 'description', 'enabled', 'entry_point', 'trigger_types', 'state'];

export function defineSensor(group: Command, context: CommandContext): void {
  withDisplay(group.command('list').description('list sensors, with how they go'))
    .option('-p, --pack <pack>', 'only of this pack')
    .action(async ({ pack, ...options }: CommonOptions & { pack?: string }) => {
      const client = await context.client(options);
      await context.printer(options).list(await client.sensors.list({ filters: { pack } }), COLUMNS);
    });
  withDisplay(group.command('get').description('show sensors'))
    .argument('<ref...>', 'refs or ids of sensors')
    .action(async (refs: string[], options: CommonOptions) => {
      const client = await context.client(options);
      const { found, exitCode } = await getEach(context, 'Sensor', refs, (ref) => client.sensors.get(ref));
      context.exitCode = exitCode;
      if (found.length > 0) await context.printer(options).records(found, { first: FIRST, many: refs.length > 1 });
    });
  defineSwitch(group, context, 'enable', true);
  defineSwitch(group, context, 'disable', false);
}

function defineSwitch(group: Command, context: CommandContext, verb: string, enabled: boolean): void {
  withDisplay(group.command(verb).description(`${verb} a sensor: whether sensor containers run it`))
    .argument('<ref>', 'ref or id of the sensor')
    .action(async (ref: string, options: CommonOptions) => {
      const client = await context.client(options);
      const sensor = await operation(client.sensors.get(ref));
      const changed = await operation(client.sensors.setEnabled(sensor, enabled));
      await context.printer(options).records([changed], { first: FIRST });
    });
}
