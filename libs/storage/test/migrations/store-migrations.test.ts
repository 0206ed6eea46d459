import { MS_MICROS, HOUR_MS, newId } from '@switchyard/base';
import { anExecution, anInstance, leakCheck } from '@switchyard/testkit/platform';
import type { Connection } from 'mongoose';
import { SCHEMA_VERSION } from '../../src';
import { storeCollections, type StoreCollections } from '../../src/collections';
import type { Migration } from '../../src/migrations/migration';
import { schemaOf, setSchema } from '../../src/migrations/schema-version';
import { storeMigrations, type StoreMigrations } from '../../src/migrations/store-migrations';
import { openTestConnection } from '../support/test-connection';

const later = leakCheck();
const now = () => Date.now() * MS_MICROS;

let connection: Connection;
let collections: StoreCollections;
let migrations: StoreMigrations;
/** A store that version 0.1.0 has created. */
beforeEach(async () => {
  connection = await openTestConnection(later);
  collections = storeCollections(connection);
  await setSchema(collections.meta, 1);
  migrations = storeMigrations(collections);
  await migrations.expand();
});

const RUN = newId();
const stored = async (fields: object = {}) => collections.executions.insert(anExecution(fields));
const rootOf = async ({ _id }: { _id: string }) => (await collections.executions.get(_id))?.root;

/** @returns the number of changed records */
async function wholePass(time = now): Promise<number> {
  let changed = 0;
  for await (const batch of migrations.pass(time)) changed += batch.changed;
  return changed;
}

const states = async () => {
  const listed = await migrations.list(await collections.instances.list());
  return Object.fromEntries(listed.map(({ name, state }) => [name, state]));
};

it('tasks of version 0.1.0 get the outermost workflow as their root', async () => {
  const outside = await stored();
  const top = await stored({ parent: outside._id });
  const inner = await stored({ parent: top._id, workflow_execution: RUN });
  const task = await stored({ parent: inner._id, workflow_execution: RUN });
  const orphan = await stored({ parent: newId(), workflow_execution: RUN });
  const known = await stored({ parent: inner._id, workflow_execution: RUN, root: outside._id });
  expect(await wholePass()).toBe(2);
  const roots = await Promise.all([outside, top, inner, task, orphan, known].map(rootOf));
  expect(roots).toEqual([undefined, undefined, top._id, top._id, undefined, outside._id]);
  expect(await collections.executions.get(task._id)).toEqual({ ...task, root: top._id });
});

it('a pass that was interrupted continues where it was, in any process', async () => {
  const top = await stored();
  for (let i = 0; i < 120; i++) await stored({ parent: top._id, workflow_execution: RUN });
  const first = migrations.pass(now);
  expect(await first.next()).toMatchObject({ done: false, value: { changed: 49 } });
  expect((await states())['task-roots']).toBe('pending');
  migrations = storeMigrations(storeCollections(connection));
  const batches = [];
  for await (const batch of migrations.pass(now)) batches.push(batch.changed);
  expect(batches).toEqual([50, 21]);
  expect((await states())['task-roots']).toBe('done');
  expect(await collections.executions.count({ root: top._id })).toBe(120);
});

it('a later pass finds what processes of version 0.1.0 have stored since, and reads nothing else', async () => {
  const top = await stored();
  await wholePass(() => now() + 2 * HOUR_MS * MS_MICROS);
  const before = await stored({ parent: top._id, workflow_execution: RUN });
  expect(await wholePass(() => now() - HOUR_MS * MS_MICROS)).toBe(0);
  await wholePass();
  expect(await rootOf(before)).toBe(top._id);
  const after = await stored({ parent: top._id, workflow_execution: RUN });
  await wholePass();
  expect(await rootOf(after)).toBe(top._id);
});

it('two processes may migrate at the same time', async () => {
  const top = await stored();
  for (let i = 0; i < 120; i++) await stored({ parent: top._id, workflow_execution: RUN });
  const other = storeMigrations(storeCollections(connection));
  const drain = async (each: StoreMigrations) => {
    for await (const _ of each.pass(now));
  };
  await Promise.all([drain(migrations), drain(other)]);
  expect(await collections.executions.count({ root: top._id })).toBe(120);
  expect((await states())['task-roots']).toBe('done');
});

it('a migration is pending while processes of an earlier version run, and they prevent a contraction', async () => {
  await wholePass();
  const older = anInstance({ host: 'box', pid: 7 });
  await collections.instances.insert(older);
  await collections.instances.insert(anInstance({ host: 'box', pid: 8 }));
  await collections.instances.insert(
    anInstance({ service: 'key-holder', host: 'box', pid: 8, schema: SCHEMA_VERSION }),
  );
  expect(await states()).toEqual({ indexes: 'done', 'task-roots': 'pending', 'only-after-0.1.0': 'available' });
  await expect(migrations.contract(await collections.instances.list(), now)).rejects.toMatchObject({
    code: 'storage.older-processes',
    message: expect.stringContaining('action-runner on box, process 7.'),
  });
  expect(await schemaOf(collections.meta)).toBe(1);
});

it('a contraction migrates the rest, and then programs of an earlier version are refused', async () => {
  const top = await stored();
  const task = await stored({ parent: top._id, workflow_execution: RUN });
  expect(await migrations.isOpen()).toBe(true);
  await migrations.contract([], now);
  expect(await rootOf(task)).toBe(top._id);
  expect(await migrations.isOpen()).toBe(false);
  expect(await states()).toEqual({ indexes: 'done', 'task-roots': 'done', 'only-after-0.1.0': 'done' });
  expect(await schemaOf(collections.meta)).toBe(SCHEMA_VERSION);
  // Nothing is left to look for.
  await stored({ parent: top._id, workflow_execution: RUN });
  expect(await wholePass()).toBe(0);
});

it('migrations run in their order, and missing indexes are named', async () => {
  await collections.executions.model.collection.dropIndex('liveaction_id_1');
  expect(await states()).toMatchObject({ indexes: 'pending' });
  expect((await migrations.list([]))[0]?.detail).toBe('missing: executions.liveaction_id_1');
  const order: string[] = [];
  const batches = (name: string): Migration => ({
    ...{ name, phase: 'migrate', purpose: '' },
    async batch(_, after) {
      order.push(name);
      return { last: after === '' ? '1'.repeat(24) : undefined, changed: 0 };
    },
  });
  const several = storeMigrations(collections, [
    batches('first'),
    batches('second'),
    { name: 'third', phase: 'contract', purpose: '', schema: SCHEMA_VERSION },
  ]);
  for await (const _ of several.pass(now));
  expect(order).toEqual(['first', 'first', 'second', 'second']);
});
