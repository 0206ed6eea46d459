import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbedded } from '../../src/embedded';
import { storeFixture } from './store-fixture';

const HOLD = `require('../../src/embedded/index.ts').openEmbedded({ directory: process.argv[1] }).then(() => {
  console.log('open');
  setInterval(() => {}, 1000);
});`;

const sockets = (directory: string) => readdirSync(directory).filter((name) => name.endsWith('.sock'));

async function startHolder(directory: string) {
  const child = spawn(process.execPath, ['-r', join(__dirname, 'load-sources.js'), '-e', HOLD, directory], {
    cwd: __dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    pid: child.pid as number,
    async end() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('the lock on a data directory', () => {
  const fixture = storeFixture();

  afterAll(() => fixture.remove());

  it('keeps a second process out, names the first, and ends with it', async () => {
    const directory = join(fixture.directory, 'shared');
    const holder = await startHolder(directory);
    await expect(openEmbedded({ directory })).rejects.toMatchObject({
      code: 'storage.locked',
      message: `The data directory "${directory}" is in use by process ${holder.pid}.`,
    });
    await holder.end();
    const connection = await openEmbedded({ directory });
    await connection.close();
    expect(sockets(directory)).toEqual([]);
  });

  it('rejects a second opening in the same process', async () => {
    await fixture.open();
    await expect(openEmbedded({ directory: fixture.directory })).rejects.toMatchObject({ code: 'storage.locked' });
    await fixture.open();
  });

  it('is acquired by one of several processes that find a dead holder', async () => {
    const directory = join(fixture.directory, 'left');
    await (await startHolder(directory)).end();
    expect(sockets(directory)).toHaveLength(1);
    const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => openEmbedded({ directory })));
    const winners = attempts.filter((attempt) => attempt.status === 'fulfilled');
    expect(winners.length).toBe(1);
    for (const { value } of winners) await value.close();
    expect(sockets(directory)).toEqual([]);
  });

  it('works in directories with long names', async () => {
    const directory = join(fixture.directory, 'n'.repeat(120));
    const connection = await openEmbedded({ directory });
    await expect(openEmbedded({ directory })).rejects.toMatchObject({ code: 'storage.locked' });
    await connection.close();
    await (await openEmbedded({ directory })).close();
  });
});

describe('the format of a data directory', () => {
  const fixture = storeFixture();

  afterAll(() => fixture.remove());

  it.each([
    ['{"format":99}', '99'],
    ['rubbish', 'unreadable'],
  ])('%s is rejected', async (content, found) => {
    const directory = join(fixture.directory, found);
    mkdirSync(directory);
    writeFileSync(join(directory, 'format.json'), content);
    const refused = { code: 'storage.format', message: expect.stringContaining(`has format ${found}`) as string };
    await expect(openEmbedded({ directory })).rejects.toMatchObject(refused);
    await expect(openEmbedded({ directory })).rejects.toMatchObject(refused);
  });
});
