import { systemClock } from '@switchyard/base';
import { paths } from '@switchyard/config';
import { storeMigrations, type MigrationState } from '@switchyard/storage';
import { livingInstances } from '@switchyard/storage/doctor';
import { storeCollections } from '@switchyard/storage/transfer';
import { exitCodes } from '../exit-codes';
import type { CommandContext } from '../program/command-context';
import { serviceConfig } from '../settings/service-config';
import { connectAlone } from './doctor-store';
import type { MigrateOptions } from './migrate';

const COLUMNS = ['name', 'phase', 'state', 'detail'];

/** Runs the pending migrations of a store, and lists all of them with their states. */
export async function migrateStore(options: MigrateOptions, context: CommandContext): Promise<void> {
  const config = serviceConfig(options, context.terminal);
  const connection = await connectAlone(config, paths(config));
  try {
    const collections = storeCollections(connection);
    const migrations = storeMigrations(collections);
    const { nowMicros } = systemClock();
    const living = () => livingInstances(connection, config.instances.lease_ms);
    const { check = false, contract = false } = options;
    if (!check) {
      await migrations.expand();
      for await (const _ of migrations.pass(nowMicros));
    }
    if (!check && contract) await migrations.contract(await living(), nowMicros);
    let states = await migrations.list(await collections.instances.list());
    // Some of the registered processes may be dead, which takes a lease to find out.
    if (states.some(({ state }) => state === 'pending')) states = await migrations.list(await living());
    await context.printer(options).list(
      states.map((state) => ({ ...state })),
      COLUMNS,
    );
    if (states.some((state) => isLeft(state, contract))) context.exitCode = exitCodes.failed.code;
  } finally {
    await connection.close();
  }
}

const isLeft = ({ state }: MigrationState, contract: boolean): boolean =>
  state === 'pending' || (contract && state === 'available');
