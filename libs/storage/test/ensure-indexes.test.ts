import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestSite } from '@switchyard/testkit/platform';
import { Schema, type Connection } from 'mongoose';
import { connectMongo } from '../src';
import { ensureIndexes } from '../src/ensure-indexes';
import { openEmbedded } from '../src/embedded';

interface Opened {
  connection: Connection;
  remove(): Promise<void>;
}

async function embedded(): Promise<Opened> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-indexes-'));
  const connection = await openEmbedded({ directory });
  return { connection, remove: async () => rmSync(directory, { recursive: true, force: true }) };
}

async function server(): Promise<Opened> {
  const site = await openTestSite();
  return { connection: await connectMongo(site.config.database), remove: site.remove };
}

const sides: [string, () => Promise<Opened>][] = [['the embedded driver', embedded]];
if (process.env['SVC_TEST_MONGODB_URL']) sides.push(['a server', server]);

describe.each(sides)('indexes of a schema on %s', (_, open) => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(async () => {
    await opened.connection.close();
    await opened.remove();
  });

  const modelWith = (options: Record<string, unknown>) => {
    const schema = new Schema({ name: String }, { autoIndex: false, autoCreate: false });
    schema.index({ name: 1 }, options);
    opened.connection.deleteModel(/^things$/);
    return opened.connection.model('things', schema, 'things');
  };

  it('are rebuilt when an earlier version defined them differently', async () => {
    const before = modelWith({});
    await ensureIndexes(before as never);
    await before.collection.insertOne({ name: 'a' });
    const after = modelWith({ unique: true });
    await ensureIndexes(after as never);
    await expect(after.collection.insertOne({ name: 'a' })).rejects.toMatchObject({ code: 11000 });
  });

  it('are rebuilt by several processes that start together', async () => {
    await ensureIndexes(modelWith({}) as never);
    const after = modelWith({ unique: true });
    await Promise.all(Array.from({ length: 6 }, () => ensureIndexes(after as never)));
    await after.collection.insertOne({ name: 'a' });
    await expect(after.collection.insertOne({ name: 'a' })).rejects.toMatchObject({ code: 11000 });
  });

  it('do not change indexes that the schema does not define', async () => {
    const model = modelWith({});
    await model.collection.createIndex({ other: 1 });
    await ensureIndexes(model as never);
    expect(Object.keys(await model.collection.indexInformation())).toContain('other_1');
  });
});
