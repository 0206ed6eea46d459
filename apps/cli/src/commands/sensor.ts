import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context';
import { withDisplay, withPack, type CommonOptions } from '../program/common-options';
import { defineGet, defineSwitch } from '../program/resource-commands';
import { defineSensorLog } from './sensor-log';

const COLUMNS = ['ref', 'pack', 'description', 'enabled', 'state.name'];

const texts = {
  title: 'Sensor',
  one: 'a sensor',
  many: 'sensors',
  effect: 'whether sensor containers run it',
  first: ['id', 'uid', 'ref', 'pack', 'name', 'description', 'enabled', 'entry_point', 'trigger_types', 'state'],
};

export function defineSensor(group: Command, context: CommandContext): void {
  withPack(withDisplay(group.command('list').description('List sensors with their state'))).action(
    async ({ pack, ...options }: CommonOptions & { pack?: string }) => {
      const client = await context.client(options);
      await context.printer(options).list(await client.sensors.list({ filters: { pack } }), COLUMNS);
    },
  );
  defineGet(group, context, texts, (client, ref) => client.sensors.get(ref));
  defineSensorLog(group, context);
  defineSwitch(group, context, texts, async ({ sensors }, ref, enabled) =>
    sensors.setEnabled(await sensors.get(ref), enabled),
  );
}
