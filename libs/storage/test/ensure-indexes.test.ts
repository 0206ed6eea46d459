import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Schema, type Connection } from 'mongoose';
import { ensureIndexes } from '../src/ensure-indexes';
import { openEmbedded } from '../src/embedded';

describe('indexes of a schema', () => {
  let directory: string;
  let connection: Connection;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'svc-indexes-'));
    connection = await openEmbedded({ directory });
  });
  afterEach(async () => {
    await connection.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const modelWith = (options: Record<string, unknown>) => {
    const schema = new Schema({ name: String }, { autoIndex: false, autoCreate: false });
    schema.index({ name: 1 }, options);
    connection.deleteModel(/^things$/);
    return connection.model('things', schema, 'things');
  };

  it('are built anew when an earlier version had them in another form', async () => {
    const before = modelWith({});
    await ensureIndexes(before as never);
    await before.collection.insertOne({ name: 'a' });
    const after = modelWith({ unique: true });
    await ensureIndexes(after as never);
    await expect(after.collection.insertOne({ name: 'a' })).rejects.toMatchObject({ code: 11000 });
  });

  it('leave indexes alone that the schema does not know', async () => {
    const model = modelWith({});
    await model.collection.createIndex({ other: 1 });
    await ensureIndexes(model as never);
    expect(Object.keys(await model.collection.indexInformation())).toContain('other_1');
  });
});
