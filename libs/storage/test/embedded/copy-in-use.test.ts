import { execFile } from 'node:child_process';
import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MIB } from '@switchyard/base';
import { flushEmbedded, openEmbedded } from '../../src/embedded';
import { collectionOf, storeFixture } from './store-fixture';

const run = promisify(execFile);
const LOADER = join(__dirname, 'load-sources.js');
const SOURCE = JSON.stringify(join(__dirname, '../../src/embedded/engine/log-hold.ts'));
/** Copies in another process, because closing a file releases the locks of its process on it. */
const COPY = `require(${SOURCE}).copyStoreFiles(...process.argv.slice(1))`;
/** More than the log may have before it is emptied. */
const DOCUMENTS = 20;
const HOUR_MS = 3_600_000;

describe('a copy of a store in use', () => {
  const fixture = storeFixture();
  const target = `${fixture.directory}-copy`;
  afterAll(async () => {
    await fixture.remove();
    rmSync(target, { recursive: true, force: true });
  });

  it('has everything that was acknowledged, also what is only in the log, which stays meanwhile', async () => {
    const connection = await fixture.open();
    const { directory } = fixture;
    const rows = collectionOf(connection, 'copied');
    const insert = async (from: number) => {
      for (let n = 0; n < DOCUMENTS; n++) await rows.insertOne({ _id: from + n, data: Buffer.alloc(MIB) });
      await flushEmbedded(connection);
    };
    const logBytes = () => statSync(join(directory, 'data.sqlite-wal')).size;
    await insert(0);
    expect(logBytes()).toBeLessThan(DOCUMENTS * MIB);
    writeFileSync(join(directory, 'log.hold'), '');
    await insert(DOCUMENTS);
    expect(logBytes()).toBeGreaterThan(DOCUMENTS * MIB);

    await run(process.execPath, ['-r', LOADER, '-e', COPY, directory, target], { cwd: join(__dirname, '../../../..') });
    expect(existsSync(join(directory, 'log.hold'))).toBe(false);
    const copy = await openEmbedded({ directory: target });
    expect(await collectionOf(copy, 'copied').distinct('_id')).toEqual(
      Array.from({ length: 2 * DOCUMENTS }, (_, n) => n),
    );
    await copy.close();
    await rows.insertOne({ _id: -1 });
    await flushEmbedded(connection);
    expect(logBytes()).toBeLessThan(DOCUMENTS * MIB);

    // A process that died left a hold, or the clock was set back since.
    for (const hours of [-1, 1]) {
      const time = new Date(Date.now() + hours * HOUR_MS);
      writeFileSync(join(directory, 'log.hold'), '');
      utimesSync(join(directory, 'log.hold'), time, time);
      await insert((3 + hours) * DOCUMENTS);
      expect(logBytes()).toBeLessThan(DOCUMENTS * MIB);
    }
  });
});
