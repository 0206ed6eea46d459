import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { flushEmbedded, openEmbedded, verifyAllIndexes } from '../../src/embedded';
import { StoreEnvironment } from '../../src/embedded/engine/environment';
import { collectionOf, storeFixture } from './store-fixture';

const ROOT = join(__dirname, '../../../..');
const PAGE_BYTES = 4096;
const DATA = 'data.sqlite';
const LOG = `${DATA}-wal`;

/** Starts a script of this folder; sources are compiled as they are loaded. */
const startChild = (script: string, ...parameters: string[]) =>
  spawn(process.execPath, ['-r', join(__dirname, 'load-sources.js'), join(__dirname, script), ...parameters], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });

describe('an embedded store', () => {
  const fixture = storeFixture();

  afterAll(() => fixture.remove());

  it('keeps documents, indexes and their definitions across a restart', async () => {
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
    expect(verifyAllIndexes(connection)).toEqual([]);
  });

  it('removes the entries of a dropped index, and detects wrong entries', async () => {
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
    expect(verifyAllIndexes(connection)).toEqual([]);
  });

  describe.each(['commit', 'flush'] as const)('with durability "%s"', (durability) => {
    it('keeps every acknowledged write after kill -9', async () => {
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
      expect(verifyAllIndexes(connection)).toEqual([]);
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

  describe('after a power failure', () => {
    /** A store whose first 2,000 rows are on disk and whose later changes are not. */
    const interrupted = async (name: string, damage: (directory: string, flushedLogBytes: number) => void) => {
      const directory = join(fixture.directory, name);
      const connection = await openEmbedded({ directory });
      const rows = collectionOf(connection, 'rows');
      await rows.createIndex({ n: 1 });
      await rows.insertMany(Array.from({ length: 2000 }, (_, n) => ({ _id: n, n, text: 'x'.repeat(300) })));
      await flushEmbedded(connection);
      const flushed = statSync(join(directory, LOG)).size;
      for (let n = 0; n < 400; n += 1) await rows.updateOne({ _id: n * 5 }, { $set: { n: -n } });
      const left = join(fixture.directory, `${name}-left`);
      mkdirSync(left);
      for (const file of [DATA, LOG]) copyFileSync(join(directory, file), join(left, file));
      damage(left, flushed);
      await connection.close();
      return openEmbedded({ directory: left });
    };

    it.each<[string, (log: Buffer, from: number) => Buffer]>([
      ['is missing', (log, from) => log.subarray(0, from)],
      ['ends in the middle of an entry', (log, from) => log.subarray(0, from + 10 * PAGE_BYTES + 77)],
      ['has holes', (log, from) => withHoles(log, from)],
      ['is noise', (log, from) => Buffer.concat([log.subarray(0, from), randomBytes(log.length - from)])],
    ])('keeps flushed writes when the rest of the log %s', async (_, damaged) => {
      const connection = await interrupted(`log-${randomUUID()}`, (directory, flushed) => {
        const log = join(directory, LOG);
        writeFileSync(log, damaged(readFileSync(log), flushed));
      });
      const rows = collectionOf(connection, 'rows');
      expect(await rows.countDocuments({})).toBe(2000);
      expect(verifyAllIndexes(connection)).toEqual([]);
      await rows.updateMany({}, { $inc: { n: 1 } });
      expect(verifyAllIndexes(connection)).toEqual([]);
      await connection.close();
    });

    it('keeps everything when it happens while the log is copied', async () => {
      const directory = join(fixture.directory, 'copying');
      mkdirSync(directory);
      const environment = new StoreEnvironment(join(directory, DATA));
      const key = (n: number) => Buffer.from(`key ${String(n).padStart(6, '0')}`);
      const put = (from: number, text: string) =>
        environment.transact(() => {
          for (let n = from; n < 3000; n += 2) environment.put(key(n), Buffer.from(text.repeat(50)));
        });
      put(0, 'old');
      environment.copyLog();
      const before = readFileSync(join(directory, DATA));
      put(1, 'new');
      environment.copyLog();
      const torn = withHoles(readFileSync(join(directory, DATA)), PAGE_BYTES, before);
      const left = join(fixture.directory, 'copying-left');
      mkdirSync(left);
      writeFileSync(join(left, DATA), torn);
      copyFileSync(join(directory, LOG), join(left, LOG));
      environment.close();
      const again = new StoreEnvironment(join(left, DATA));
      expect(again.count({ start: key(0), end: key(9999) })).toBe(3000);
      expect(again.get(key(1))?.toString()).toBe('new'.repeat(50));
      again.close();
    });
  });

  it('moves a large log into the data file while writes continue', async () => {
    const directory = join(fixture.directory, 'grown');
    const connection = await openEmbedded({ directory });
    const rows = collectionOf(connection, 'rows');
    const text = 'x'.repeat(20_000);
    let largest = 0;
    for (let n = 0; n < 6000; n += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, i) => rows.insertOne({ _id: n + i, text })));
      largest = Math.max(largest, statSync(join(directory, LOG)).size);
    }
    await flushEmbedded(connection);
    expect(statSync(join(directory, DATA)).size).toBeGreaterThan(50_000_000);
    expect(largest).toBeLessThan(80_000_000);
    expect(await rows.countDocuments({ text })).toBe(6000);
    await connection.close();
    const again = await openEmbedded({ directory });
    expect(await collectionOf(again, 'rows').countDocuments({})).toBe(6000);
    await again.close();
  });

  it('rejects writes when the disk is full, and keeps working', async () => {
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
    expect(verifyAllIndexes(connection)).toEqual([]);
    expect(await collectionOf(connection, 'written').countDocuments({})).toBe(written);
    await collectionOf(connection, 'written').insertOne({ _id: 'after', n: 1 });
    await connection.close();
  });
});

/** From page `from` on, restores every second page to its old state: zeros, or the content of `old`. */
function withHoles(recent: Buffer, from: number, old: Buffer = Buffer.alloc(0)): Buffer {
  const mixed = Buffer.from(recent);
  for (let at = from; at < recent.length; at += 2 * PAGE_BYTES) {
    mixed.fill(0, at, Math.min(at + PAGE_BYTES, recent.length));
    if (at < old.length) old.copy(mixed, at, at, at + PAGE_BYTES);
  }
  return mixed;
}
