import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { flushEmbedded, openEmbedded, verifyIndexes } from '../../src/embedded';
import { readCheckpoint, writeCheckpoint } from '../../src/embedded/engine/checkpoint-file';
import { collectionOf, storeFixture } from './store-fixture';

const ROOT = join(__dirname, '../../../..');
const PAGE_BYTES = 4096;

/** Starts a script of this folder on sources that are compiled as they are loaded. */
const startChild = (script: string, ...parameters: string[]) =>
  spawn(process.execPath, ['-r', join(__dirname, 'load-sources.js'), join(__dirname, script), ...parameters], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });

describe('an embedded store', () => {
  const fixture = storeFixture();

  afterAll(() => fixture.remove());

  it('keeps documents, indexes and their definitions over a restart', async () => {
    const rows = collectionOf(await fixture.open(), 'kept');
    await rows.createIndex({ a: 1 }, { unique: true });
    await rows.createIndex({ list: 1 });
    await rows.insertMany([
      { _id: 1, a: 1, list: [1, 2] },
      { _id: 2, a: 2 },
    ]);
    const connection = await fixture.open();
    const again = collectionOf(connection, 'kept');
    expect(await again.find({ list: 2 }).toArray()).toEqual([{ _id: 1, a: 1, list: [1, 2] }]);
    await expect(again.insertOne({ _id: 3, a: 2 })).rejects.toMatchObject({ code: 11000 });
    expect((await again.indexes()).map(({ name }) => name)).toEqual(['_id_', 'a_1', 'list_1']);
    expect(verifyIndexes(connection)).toEqual([]);
  });

  it('removes the entries of a dropped index, and notices entries that are wrong', async () => {
    const connection = await fixture.open();
    const rows = collectionOf(connection, 'dropped');
    await rows.createIndex({ a: 1 });
    await rows.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: 2 },
    ]);
    await rows.dropIndex('a_1');
    await rows.updateOne({ _id: 1 }, { $set: { a: 5 } });
    await rows.createIndex({ a: 1 });
    expect(await rows.find({ a: { $lt: 5 } }).toArray()).toEqual([{ _id: 2, a: 2 }]);
    expect(verifyIndexes(connection)).toEqual([]);
  });

  describe.each(['commit', 'flush'] as const)('with durability "%s"', (durability) => {
    it('has everything acknowledged after kill -9 in the middle of writes', async () => {
      await fixture.close();
      const directory = join(fixture.directory, `killed-${durability}`);
      const child = startChild('write-until-killed.js', directory, durability);
      const acknowledged: string[] = [];
      for await (const line of createInterface(child.stdout)) {
        acknowledged.push(line);
        if (acknowledged.length === 1500) child.kill('SIGKILL');
      }
      if (child.signalCode === null) await once(child, 'exit');
      expect(child.signalCode).toBe('SIGKILL');
      const connection = await openEmbedded({ directory });
      expect(verifyIndexes(connection)).toEqual([]);
      const found = new Map(
        (await collectionOf(connection, 'written').find().toArray()).map(({ _id, n }) => [_id, n as number]),
      );
      const lost = acknowledged.filter((line) => {
        const [id, n] = line.split(' ');
        return (found.get(id) ?? -1) < Number(n);
      });
      expect(lost).toEqual([]);
      await connection.close();
    });
  });

  it('returns to its last checkpoint when a power failure has torn the data file', async () => {
    const directory = join(fixture.directory, 'torn');
    const connection = await openEmbedded({ directory });
    const rows = collectionOf(connection, 'rows');
    await rows.createIndex({ n: 1 });
    await rows.insertMany(Array.from({ length: 2000 }, (_, n) => ({ _id: n, n, text: 'x'.repeat(300) })));
    await flushEmbedded(connection);
    const onDisk = join(fixture.directory, 'on-disk');
    copyFileSync(join(directory, 'data.mdb'), onDisk);
    const checkpoint = readCheckpoint(directory);
    for (let n = 0; n < 400; n += 1) await rows.updateOne({ _id: n * 5 }, { $set: { n: -n } });

    const torn = join(fixture.directory, 'after-failure');
    mkdirSync(torn);
    writeFileSync(join(torn, 'data.mdb'), mixPages(readFileSync(onDisk), readFileSync(join(directory, 'data.mdb'))));
    await writeCheckpoint(torn, { ...(checkpoint as NonNullable<typeof checkpoint>), bootId: 'another boot' });
    await connection.close();

    const recovered = await openEmbedded({ directory: torn });
    expect(verifyIndexes(recovered)).toEqual([]);
    const kept = collectionOf(recovered, 'rows');
    expect(await kept.countDocuments({ n: { $gte: 0 } })).toBe(2000);
    await kept.updateMany({}, { $inc: { n: 1 } });
    expect(verifyIndexes(recovered)).toEqual([]);
    await recovered.close();
  });

  it('rejects writes that the disk has no room for, and goes on with what it has', async () => {
    const directory = join(fixture.directory, 'full');
    const limited = spawn(
      'sh',
      [
        '-c',
        'ulimit -f 4096; exec "$@"',
        'sh',
        process.execPath,
        '-r',
        join(__dirname, 'load-sources.js'),
        join(__dirname, 'write-until-full.js'),
        directory,
      ],
      { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const lines: string[] = [];
    for await (const line of createInterface(limited.stdout)) lines.push(line);
    if (limited.exitCode === null) await once(limited, 'exit');
    const { written, refused, readable } = JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>;
    expect(refused).toEqual(expect.any(String));
    expect(readable).toBe(written);
    expect(limited.exitCode).toBe(0);
    const connection = await openEmbedded({ directory });
    expect(verifyIndexes(connection)).toEqual([]);
    expect(await collectionOf(connection, 'written').countDocuments({})).toBe(written);
    await collectionOf(connection, 'written').insertOne({ _id: 'after', n: 1 });
    await connection.close();
  });
});

/** A data file as a power failure may leave it: the newest roots, but of the other pages only each second new one. */
function mixPages(old: Buffer, recent: Buffer): Buffer {
  const mixed = Buffer.from(recent);
  for (let at = 2 * PAGE_BYTES; at < recent.length; at += 2 * PAGE_BYTES) {
    mixed.fill(0, at, at + PAGE_BYTES);
    if (at < old.length) old.copy(mixed, at, at, at + PAGE_BYTES);
  }
  return mixed;
}
