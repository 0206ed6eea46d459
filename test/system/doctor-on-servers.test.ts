import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import { connectMongo, createSealer, newKeyRing, openStore, type Store } from '@switchyard/storage';
import { storeCollections } from '@switchyard/storage/transfer';
import { aChunk, anExecution, anInstance, openTestSite } from '@switchyard/testkit/platform';
import { missingMongo, serversMissing, startMongo } from './real-servers';
import { svc } from './run-svc';

const DEADLINE_MS = 180_000;
const LEASE_MS = 1_000;
const NOBODY = 'e'.repeat(24);

interface Site {
  readonly config: Config;
  remove(): Promise<void>;
}

const named = process.env['SVC_TEST_MONGODB_URL'];
const missing = named === undefined ? missingMongo() : undefined;

/** A separate database on the named server, or on a server started for the test. */
async function openSite(): Promise<Site> {
  if (named !== undefined) return openTestSite({ instances: { lease_ms: LEASE_MS } });
  const { mongo, remove } = await startMongo();
  const database = { host: mongo.url, db_name: 'doctor' };
  const site = await openTestSite({ instances: { lease_ms: LEASE_MS }, storage: { driver: 'mongodb' }, database });
  return {
    config: site.config,
    async remove() {
      await site.remove();
      await remove();
    },
  };
}

if (missing === undefined)
  describe('svc doctor on a server', () => {
    let site: Site;
    let store: Store;
    let directory: string;

    beforeAll(async () => {
      site = await openSite();
      directory = site.config.system.base_path;
      store = await openStore(await connectMongo(site.config.database), createSealer(newKeyRing()));
      const { host, db_name: name } = site.config.database;
      writeFileSync(
        join(directory, 'svc.conf'),
        `[system]\nbase_path = ${directory}\n[storage]\ndriver = mongodb\n[database]\nhost = ${host}\ndb_name = ${name}\n` +
          `[instances]\nheartbeat_ms = ${LEASE_MS / 10}\nlease_ms = ${LEASE_MS}\n`,
      );
    }, DEADLINE_MS);
    afterAll(async () => {
      await store.close();
      await site.remove();
    });

    const doctor = (words: readonly string[] = [], input = '') =>
      svc(['--config-file', join(directory, 'svc.conf'), 'doctor', ...words], input);
    const listed = async () => {
      const { code, stdout } = await doctor(['-j']);
      const findings = JSON.parse(stdout) as { collection: string; id: string; problem: string }[];
      return { code, found: findings.map(({ collection, id, problem }) => [collection, id, problem]).sort() };
    };

    it(
      'lists orphaned and unreadable records, copies and repairs them, and puts them back',
      async () => {
        expect(await doctor()).toEqual({ code: 0, stdout: 'No problems were found in the store.\n', stderr: '' });
        const definition = { _id: '0'.repeat(64), action: { ref: 'tests.action' }, runner: { name: 'manual' } };
        await store.definitions.put(definition as never);
        const [child, waiting, deep] = [
          anExecution({ status: 'succeeded', parent: 'f'.repeat(24) }),
          anExecution({ definition: '2'.repeat(64) }),
          anExecution({ status: 'failed', result: `${'['.repeat(5_000)}${']'.repeat(5_000)}` }),
        ];
        for (const record of [child, waiting, deep]) await store.executions.insert(record);
        await store.output.append([1, 2].map((sequence) => aChunk({ execution_id: NOBODY, sequence })));
        const wrong = {
          code: 1,
          found: [
            ['execution_output', NOBODY, 'no-owner'],
            ['executions', child._id, 'no-parent'],
            ['executions', deep._id, 'bad-result'],
            ['executions', waiting._id, 'no-definition'],
          ].sort(),
        };
        expect(await listed()).toEqual(wrong);
        expect(await doctor(['--repair', '--dry-run'])).toMatchObject({ code: 1 });
        expect(await doctor(['--repair'], 'n\n')).toMatchObject({ code: 1 });
        expect(await listed()).toEqual(wrong);

        expect(await doctor(['--repair'], 'y\n')).toMatchObject({
          code: 0,
          stderr: expect.stringContaining(directory),
        });
        expect(await listed()).toEqual({ code: 0, found: [] });
        expect(await store.executions.get(child._id)).not.toHaveProperty('parent');
        expect(await store.executions.get(waiting._id)).toMatchObject({ status: 'failed' });
        const copies = readdirSync(directory).filter((name) => /^doctor-.*\.jsonl$/.test(name));
        expect(copies.map((name) => statSync(join(directory, name)).mode & 0o777)).toEqual([0o600]);

        expect(await doctor(['--put-back', join(directory, copies[0]!)])).toMatchObject({ code: 0 });
        expect((await listed()).found).toEqual(expect.arrayContaining([['executions', child._id, 'no-parent']]));
        expect(await store.executions.get(child._id)).toEqual(child);
        expect(await doctor(['--repair', '--yes'])).toMatchObject({ code: 0 });
      },
      DEADLINE_MS,
    );

    it(
      'lists problems of a store in use, but does not repair it',
      async () => {
        await store.output.append([aChunk({ execution_id: NOBODY })]);
        const alive = anInstance({ host: 'here', pid: 17 });
        await store.instances.register(alive);
        const beating = setInterval(() => void store.instances.beat(alive._id), LEASE_MS / 20);
        try {
          const refusal = 'The store is in use. Stop these first: action-runner on here, process 17.';
          expect(await doctor(['--repair', '--yes'])).toEqual({ code: 1, stdout: '', stderr: `ERROR: ${refusal}\n` });
          expect(await listed()).toEqual({ code: 1, found: [['execution_output', NOBODY, 'no-owner']] });
        } finally {
          clearInterval(beating);
        }
        expect(await doctor(['--repair', '--yes'])).toMatchObject({ code: 0 });
      },
      DEADLINE_MS,
    );

    it(
      'svc migrate migrates the records of a store in use, and contracts it once the processes of earlier versions have ended',
      async () => {
        const migrate = (...words: string[]) =>
          svc(['--config-file', join(directory, 'svc.conf'), 'migrate', ...words]);
        const connection = await connectMongo(site.config.database);
        const { meta, executions } = storeCollections(connection);
        await meta.put({ _id: 'schema', value: 1 });
        const [top, run] = [anExecution(), newId()];
        const task = anExecution({ parent: top._id, workflow_execution: run });
        for (const record of [top, task]) await executions.insert(record);
        expect(await migrate('--check')).toMatchObject({ code: 1, stdout: expect.stringContaining('not begun') });
        expect(await executions.get(task._id)).not.toHaveProperty('root');
        expect(await migrate()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 records changed') });
        expect(await executions.get(task._id)).toEqual({ ...task, root: top._id });

        const older = anInstance({ host: 'here', pid: 17 });
        await store.instances.register(older);
        const beating = setInterval(() => void store.instances.beat(older._id), LEASE_MS / 20);
        try {
          expect(await migrate('--check')).toMatchObject({ code: 1, stdout: expect.stringContaining('process 17') });
          expect(await migrate('--contract')).toMatchObject({
            code: 1,
            stderr:
              'ERROR: Processes of an earlier version use the store. Stop these first: action-runner on here, process 17.\n',
          });
        } finally {
          clearInterval(beating);
          await store.instances.remove(older._id);
        }
        expect(await migrate('--check', '--contract')).toMatchObject({ code: 1 });
        expect(await migrate('--contract')).toMatchObject({ code: 0 });
        expect(await migrate('--check', '--contract', '-j')).toMatchObject({ code: 0 });
        for (const { _id } of [top, task]) await executions.remove(_id);
        await connection.close();
      },
      DEADLINE_MS,
    );

    it('reports that a server does not respond', async () => {
      const file = join(directory, 'away.conf');
      writeFileSync(
        file,
        `[system]\nbase_path = ${directory}\n[storage]\ndriver = mongodb\n` +
          '[database]\nhost = mongodb://127.0.0.1:1/\nconnection_timeout = 500\n',
      );
      const { code, stdout, stderr } = await svc(['--config-file', file, 'doctor']);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^ERROR: .*127\.0\.0\.1/);
    });
  });
else {
  serversMissing(missing);
  it.skip('svc doctor on a server', () => undefined);
}
