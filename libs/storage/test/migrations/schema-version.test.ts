import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSealer, newKeyRing, openStore, SCHEMA_VERSION } from '../../src';
import { openEmbedded } from '../../src/embedded';
import { Collection } from '../../src/collection';
import { metaLayout, type MetaRecord } from '../../src/layouts/operation-layouts';

/** The stored version, read and written directly. */
async function withMeta<T>(directory: string, use: (meta: Collection<MetaRecord>) => Promise<T>): Promise<T> {
  const connection = await openEmbedded({ directory });
  try {
    return await use(new Collection<MetaRecord>(connection, 'meta', metaLayout));
  } finally {
    await connection.close();
  }
}

describe('the schema version', () => {
  let directory: string;
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'svc-migrate-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  const open = async () => {
    const connection = await openEmbedded({ directory });
    try {
      await openStore(connection, createSealer(newKeyRing()));
    } finally {
      await connection.close();
    }
  };

  it('is written to a new store and stays', async () => {
    await open();
    await open();
    expect(await withMeta(directory, (meta) => meta.get('schema'))).toEqual({ _id: 'schema', value: SCHEMA_VERSION });
  });

  it('of a newer program is rejected, and the store is unchanged', async () => {
    await withMeta(directory, (meta) => meta.put({ _id: 'schema', value: SCHEMA_VERSION + 1 }));
    await expect(open()).rejects.toMatchObject({
      code: 'storage.newer-schema',
      message: expect.stringContaining(`version ${SCHEMA_VERSION + 1}`),
    });
    expect((await withMeta(directory, (meta) => meta.get('schema')))?.value).toBe(SCHEMA_VERSION + 1);
  });

  it.each(['x', null, 1.5])('that is invalid (%p) is rejected too', async (value) => {
    await withMeta(directory, (meta) => meta.put({ _id: 'schema', value }));
    await expect(open()).rejects.toMatchObject({ code: 'storage.newer-schema' });
  });
});
