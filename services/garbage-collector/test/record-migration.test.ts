import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@switchyard/base';
import { storeMigrations } from '@switchyard/storage';
import { openEmbedded } from '@switchyard/storage/embedded';
import { storeCollections } from '@switchyard/storage/transfer';
import { anExecution } from '@switchyard/testkit/platform';
import { eventually, leakCheck, startSystem } from '@switchyard/testkit/system';
import { createGarbageCollector } from '../src';

const later = leakCheck();

/** More tasks than fit into one batch. */
const MANY = 120;

it('the leader migrates the records of an earlier version, and logs it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-record-migration-'));
  later(() => rmSync(directory, { recursive: true }));
  const connection = await openEmbedded({ directory });
  later(() => connection.close());
  const collections = storeCollections(connection);
  await collections.meta.put({ _id: 'schema', value: 1 });
  const migrations = storeMigrations(collections);
  await migrations.expand();
  const top = await collections.executions.insert(anExecution());
  for (let i = 0; i < MANY; i++)
    await collections.executions.insert(anExecution({ parent: top._id, workflow_execution: newId() }));

  const system = await startSystem({
    overrides: { garbagecollector: { purge_inquiries: false, action_executions_output_ttl: 0 } },
  });
  later(() => system.close());
  const { platform, executions } = system;
  const store = { ...platform.store, migrations };
  const collector = createGarbageCollector({ ...platform, store, executions });
  await collector.start();
  later(() => collector.stop());
  await eventually(
    () => platform.log.some((line) => line.includes('Migrated stored records.') && line.includes(String(MANY))),
    () => 'a line in the log',
  );
  expect(await collections.executions.count({ root: top._id })).toBe(MANY);
});
