import { userInfo } from 'node:os';
import { fault, systemClock } from '@switchyard/base';
import type { KeyRotation } from '@switchyard/client';
import { paths, type Config } from '@switchyard/config';
import { openItemResealers } from '@switchyard/datastore';
import { rotationView } from '@switchyard/model';
import { createSealer, liveKeyRing, openStore, readKeyRing, storeRotation, type Store } from '@switchyard/storage';
import { livingProcesses } from '@switchyard/storage/doctor';
import { CommandError } from '../exit-codes';
import type { DisplayOptions } from '../output/printer';
import type { CommandContext } from '../program/command-context';
import { serviceConfig, type ServiceFiles } from '../settings/service-config';
import { connectAlone } from './doctor-store';
import { isSettled, showRotation } from './show-rotation';

interface OfflineOptions extends DisplayOptions, ServiceFiles {
  retire?: boolean;
  abandonDamaged?: boolean;
  check?: boolean;
}

/** Rotates keys in the store of a stopped system. An interrupted rotation continues where it was. */
export async function rotateOffline(options: OfflineOptions, context: CommandContext): Promise<void> {
  const config = serviceConfig(options, context.terminal);
  const { store, advance, nowMicros, close } = await openRotation(config);
  try {
    const printer = context.printer(options);
    if (options.check) return await showRotation(await lastOf(store), printer, context, true);
    const user = userInfo().username;
    // An interrupted rotation continues.
    if (!options.retire) await store.keyRotations.begin(user, nowMicros());
    await carryOut(advance);
    if (options.retire && isSettled(await lastOf(store))) {
      await store.keyRotations.retire(user, options.abandonDamaged);
      await carryOut(advance);
    }
    await showRotation(await lastOf(store), printer, context, false);
  } finally {
    await close();
  }
}

async function carryOut(advance: () => Promise<string>): Promise<void> {
  while ((await advance()) === 'more');
}

/** The rotations of a store that no other process uses. @throws Fault `storage.key-file` without a key file: a new one
 * could decrypt nothing */
async function openRotation(config: Config) {
  const where = paths(config);
  const { recordKey, datastoreKey } = where;
  const clock = systemClock();
  const first = await readKeyRing(recordKey);
  if (!first) throw fault('storage.key-file', { path: recordKey, text: 'it does not exist' });
  const connection = await connectAlone(config, where);
  try {
    const living = await livingProcesses(connection, config.instances.lease_ms);
    if (living.length > 0)
      throw new CommandError(`The system is running. Use svc key rotate, or stop these first: ${living.join('; ')}.`);
    const onProblem = () => undefined;
    const recordKeys = liveKeyRing({ path: recordKey, first, onProblem, monotonicMs: clock.monotonicMs });
    const store = await openStore(connection, createSealer(recordKeys));
    const itemResealer = openItemResealers({ path: datastoreKey, mayCreate: false });
    const { nowMicros } = clock;
    const holders = async () => [];
    const advance = storeRotation({
      store,
      config,
      paths: where,
      recordKeys,
      itemResealer,
      holders,
      nowMicros,
      graceMs: 0,
    });
    return { store, advance, nowMicros, close: () => store.close() };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function lastOf({ keyRotations }: Store): Promise<KeyRotation> {
  const record = await keyRotations.last();
  if (!record) throw fault('storage.no-rotation', {});
  return rotationView(record);
}
