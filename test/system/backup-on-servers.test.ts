import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, paths, type Config } from '@switchyard/config';
import { connectMongo, createSealer, loadKeyRing, openStore, type Store } from '@switchyard/storage';
import { openEmbedded } from '@switchyard/storage/embedded';
import { aChunk, anExecution, openTestSite } from '@switchyard/testkit/platform';
import { missingMongo, serversMissing, startMongo } from './real-servers';
import { svc, type Ended } from './run-svc';

const DEADLINE_MS = 180_000;
const EXECUTIONS = 450;
const named = process.env['SVC_TEST_MONGODB_URL'];
const missing = named === undefined ? missingMongo() : undefined;

const base = mkdtempSync(join(tmpdir(), 'svc-backup-servers-'));

/** Values that JSON lacks, and names that stand for such values in an archive. */
const ODD = {
  ...{ $date: 'not a date', $$binary: 1, nested: { $bson: [{ $x: { y: null } }], '1': 'one', plain: true } },
  ...{ not: Number.NaN, least: -0, most: Infinity, large: 2 ** 60, part: 0.1, when: new Date(5), text: 'ü\u2028\n"' },
};

interface Site {
  readonly file: string;
  readonly config: Config;
}

/** The configuration of a system with its own directory. @param database for MongoDB */
function siteOf(name: string, database = ''): Site {
  const directory = join(base, name);
  mkdirSync(directory);
  const file = join(directory, 'svc.conf');
  writeFileSync(file, `[system]\nbase_path = ${directory}\n${database}`);
  return { file, config: loadConfig({ environment: {}, file }).config };
}

async function storeOf({ config }: Site): Promise<Store> {
  const where = paths(config);
  const connection =
    config.storage.driver === 'mongodb'
      ? await connectMongo(config.database)
      : await openEmbedded({ directory: where.store });
  return openStore(connection, createSealer(await loadKeyRing(where.recordKey)));
}

async function fill(store: Store): Promise<void> {
  for (let n = 0; n < EXECUTIONS; n++) {
    const result_blob = await store.blobs.put(`result ${n}`);
    const record = anExecution({ status: 'succeeded', end_timestamp: n, parameters: { ODD, n }, result_blob });
    await store.executions.insert(record);
    await store.output.append([aChunk({ execution_id: record._id })]);
  }
  const root = anExecution({ status: 'running' });
  const ended = anExecution({ status: 'succeeded', end_timestamp: 1, parent: root._id, root: root._id });
  for (const record of [root, ended]) await store.executions.insert(record);
}

const run = ({ file }: Site, ...words: string[]): Promise<Ended> => svc(['--config-file', file, ...words]);

if (missing === undefined)
  describe('svc export and svc import between the embedded store and a server', () => {
    let url = named ?? '';
    let name = 'backup';
    let remove: () => Promise<void>;
    beforeAll(async () => {
      if (named === undefined) {
        const started = await startMongo();
        ({ url } = started.mongo);
        ({ remove } = started);
      } else {
        const site = await openTestSite();
        name = site.config.database.db_name;
        remove = () => site.remove();
      }
    }, DEADLINE_MS);
    afterAll(async () => {
      await remove();
      rmSync(base, { recursive: true, force: true });
    });

    it(
      'move every record there and back unchanged, without executions whose tree has not ended',
      async () => {
        const server = siteOf('server', `[storage]\ndriver = mongodb\n[database]\nhost = ${url}\ndb_name = ${name}\n`);
        const [first, last] = [siteOf('first'), siteOf('last')];
        const source = await storeOf(first);
        await fill(source);
        const executions = await source.executions.list({
          filter: { status: 'succeeded', root: null },
          sort: { _id: 1 },
        });
        await source.close();

        const archives = [join(base, 'there.tar.gz'), join(base, 'back.tar')] as const;
        const there = await run(first, 'export', archives[0], '-j', '--with-secrets');
        expect(there).toMatchObject({
          code: 0,
          stderr: expect.stringMatching(/Left out of executions: 2 that have not ended/),
        });
        expect(await run(server, 'import', archives[0])).toMatchObject({ code: 0, stderr: '' });
        const open = await storeOf(server);
        await open.close();
        expect(await run(server, 'import', archives[0])).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('not empty'),
        });
        const back = await run(server, 'export', archives[1], '-j', '--with-secrets');
        expect(back).toMatchObject({ code: 0, stderr: '' });
        const [one, other] = [there, back].map(({ stdout }) => JSON.parse(stdout) as Record<string, unknown>);
        expect(other!['collections']).toEqual(one!['collections']);
        expect(await run(last, 'import', archives[1])).toMatchObject({ code: 0, stderr: '' });

        const restored = await storeOf(last);
        expect(await restored.executions.list({ sort: { _id: 1 } })).toEqual(executions);
        expect(executions).toHaveLength(EXECUTIONS);
        await restored.close();
        expect(await run(last, 'doctor', '-j')).toMatchObject({ stdout: expect.not.stringContaining('no-owner') });
      },
      DEADLINE_MS,
    );
  });
else {
  serversMissing(missing);
  it.skip('svc export and svc import between the embedded store and a server', () => undefined);
}
