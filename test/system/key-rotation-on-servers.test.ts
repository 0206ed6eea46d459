import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseKeyRing } from '@switchyard/storage';
import { eventually } from '@switchyard/testkit/platform';
import { login, type ApiCaller } from './api-caller';
import { startCluster, type Cluster } from './cluster-process';
import { serversMissing } from './real-servers';
import { missingForTest, openServersOfTest, type ServersOfTest } from './servers-of-test';

const START_MS = 240_000;
const ITEMS = 400;

/** Eleven processes take most of a minute of CPU time, so they only run on request, as in .ci/run. */
const isAsked = process.env['SVC_TEST_SERVERS'] === 'required';
const missing = missingForTest();

if (isAsked && missing === undefined)
  describe('a rotation of keys among many processes', () => {
    let servers: ServersOfTest;
    let cluster: Cluster;
    let ada: ApiCaller;

    beforeAll(async () => {
      servers = await openServersOfTest();
      cluster = await startCluster(servers);
      await cluster.ready();
      ada = await login(cluster.api, cluster.auth);
    }, START_MS);
    afterAll(async () => {
      ada?.close();
      await cluster?.stop();
      await servers?.remove();
    }, START_MS);

    const rotation = async () => (await ada.call('GET', '/v1/key_rotation')).body as Record<string, unknown>;
    const untilStage = (stage: string) =>
      eventually(
        async () => (await rotation())['stage'] === stage,
        () => `the rotation is not ${stage}`,
      );
    const put = (n: number, value: string) =>
      ada.call('PUT', `/v1/keys/item${n}`, { name: `item${n}`, value, secret: true });

    it(
      'continues in another process when the leader is killed, and every process uses the new keys',
      async () => {
        for (let n = 0; n < ITEMS; n++) expect(await put(n, `hush ${n}`)).toMatchObject({ status: 200 });
        const keyFiles = ['record_keys.json', 'datastore_key.json'].map((name) =>
          join(cluster.directory, 'keys', name),
        );
        const rings = () => keyFiles.map((path) => parseKeyRing(readFileSync(path, 'utf8')));
        const former = rings().map(({ current }) => current);
        expect(await ada.call('POST', '/v1/key_rotation', {})).toMatchObject({ status: 202 });
        const leader = cluster.services.find(({ name }) => name === 'garbage-collector')!;
        await leader.stop('SIGKILL');
        leader.start();
        await untilStage('resealed');
        expect(await rotation()).toMatchObject({ waiting_for: [], lost: [] });
        const parameters = { url: 'http://127.0.0.1:1/', password: 'sesame' };
        const ran = await ada.call('POST', '/v1/executions', { action: 'core.http', parameters });
        expect(await ada.call('POST', '/v1/key_rotation', { retire: true })).toMatchObject({ status: 202 });
        await untilStage('retired');
        for (const ring of rings()) expect(Object.keys(ring.keys)).toEqual([ring.current]);
        expect(rings().map(({ current }) => current)).not.toEqual(former);
        for (let n = 0; n < ITEMS; n++)
          expect((await ada.call('GET', `/v1/keys/item${n}?decrypt=true`)).body).toMatchObject({ value: `hush ${n}` });
        const { id } = ran.body as { id: string };
        await eventually(
          async () => ((await ada.call('GET', `/v1/executions/${id}`)).body as { status: string }).status === 'failed',
          () => 'the execution has not ended',
        );
        const shown = await ada.call('GET', `/v1/executions/${id}?show_secrets=true`);
        expect(shown.body).toMatchObject({ parameters: { password: 'sesame' } });
      },
      START_MS,
    );
  });
else {
  if (missing === undefined) console.warn('Skipped on real servers: SVC_TEST_SERVERS=required runs these tests.');
  else serversMissing(missing);
  it.skip('rotations of keys on servers', () => undefined);
}
