import { DAY_MS, MS_MICROS } from '@switchyard/base';
import type { ConfigOverrides } from '@switchyard/config';
import { anExecution } from '@switchyard/testkit/platform';
import { eventually, leakCheck, startSystem, type TestSystem } from '@switchyard/testkit/system';
import { createGarbageCollector, type GarbageCollectorDeps } from '../src';
import { createS3Bucket, objectUrl, s3AddressOf } from '../src/s3-bucket';
import { hasMoto, startMoto, type MotoServer } from './moto-server';

type Options = Required<ConfigOverrides>['garbagecollector'];

describe('the address of an object', () => {
  const options = { archive_s3_endpoint: null, archive_s3_region: 'eu-west-1', archive_s3_path_style: null };
  const urlOf = (more: Partial<Parameters<typeof objectUrl>[2]>, key = 'a b/c.jsonl') =>
    objectUrl(s3AddressOf('s3://copies/x/')!, key, { ...options, ...more });
  const endpoint = 'https://s3.example.org:9000/base/';

  it.each([
    [{}, 'https://copies.s3.eu-west-1.amazonaws.com/a%20b/c.jsonl'],
    [{ archive_s3_path_style: true }, 'https://s3.eu-west-1.amazonaws.com/copies/a%20b/c.jsonl'],
    [{ archive_s3_endpoint: endpoint }, 'https://s3.example.org:9000/base/copies/a%20b/c.jsonl'],
    [
      { archive_s3_endpoint: endpoint, archive_s3_path_style: false },
      'https://copies.s3.example.org:9000/base/a%20b/c.jsonl',
    ],
  ])('with %j is %s', (more, url) => expect(urlOf(more)).toBe(url));

  it.each([
    ['s3://copies', { bucket: 'copies', prefix: '' }],
    ['s3://copies/', { bucket: 'copies', prefix: '' }],
    ['s3://copies/of/records/', { bucket: 'copies', prefix: 'of/records' }],
    ['/srv/copies', undefined],
  ])('%s is understood', (path, address) => expect(s3AddressOf(path)).toEqual(address));
});

it('without credentials, S3 is refused', () => {
  const options = { archive_s3_access_key_id: null, archive_s3_secret_access_key: null } as never;
  expect(() => createS3Bucket({ bucket: 'copies', prefix: '' }, options, { AWS_ACCESS_KEY_ID: 'id' })).toThrow(
    /needs archive_s3_access_key_id and archive_s3_secret_access_key/,
  );
});

if (!hasMoto()) it.skip('an archive in S3', () => undefined);
else
  describe('an archive in S3', () => {
    // Connections to the server stay open for a while.
    const later = leakCheck('all');
    let server: MotoServer;
    beforeAll(async () => {
      server = await startMoto();
      later(server.stop);
    });

    /** A system with old executions, whose copies go below a prefix of their own. */
    async function started(prefix: string, options: Options = {}): Promise<TestSystem> {
      const garbagecollector = {
        ...{
          purge_inquiries: false,
          collection_interval: 1,
          action_executions_ttl: 1,
          action_executions_output_ttl: 0,
        },
        archive_path: `s3://${server.bucket}/${prefix}/`,
        archive_s3_endpoint: server.endpoint,
        archive_s3_region: server.region,
        archive_s3_access_key_id: server.accessKeyId,
        archive_s3_secret_access_key: server.secretAccessKey,
        ...options,
      };
      const system = await startSystem({ overrides: { garbagecollector } });
      later(() => system.close());
      const now = system.platform.clock.nowMicros();
      for (let i = 0; i < MANY; i++)
        await system.platform.store.executions.insert(
          anExecution({ status: 'succeeded', start_timestamp: now + i, end_timestamp: now + i }),
        );
      return system;
    }

    /** Starts a collector for which some days have passed. */
    async function collect({ platform, executions }: TestSystem, more: Partial<GarbageCollectorDeps> = {}) {
      const { clock } = platform;
      const ahead = { ...clock, nowMicros: () => clock.nowMicros() + 3 * DAY_MS * MS_MICROS };
      const collector = createGarbageCollector({ ...platform, clock: ahead, executions, ...more });
      await collector.start();
      later(() => collector.stop());
      return collector;
    }

    const emptied = ({ platform }: TestSystem) =>
      eventually(
        async () => (await platform.store.executions.count()) === 0,
        () => 'all executions to be removed',
      );
    const logged = ({ platform }: TestSystem, text: string) =>
      eventually(
        () => platform.log.some((line) => line.includes(text)),
        () => `the log to contain: ${text}`,
      );
    const copiesBelow = async (prefix: string) => {
      const found = Object.entries(await server.objects()).filter(([key]) => key.startsWith(`${prefix}/`));
      const ids = found.flatMap(([, text]) => text.trim().split('\n')).map((line) => (JSON.parse(line) as Line)._id);
      return { keys: found.map(([key]) => key), ids };
    };

    it('has each record once, in an object for each step, after it was removed', async () => {
      const system = await started('whole');
      const records = await system.platform.store.executions.list({});
      await collect(system);
      await emptied(system);
      const { keys, ids } = await copiesBelow('whole');
      expect(ids.sort()).toEqual(records.map(({ _id }) => _id).sort());
      expect(keys).toHaveLength(Math.ceil(MANY / STEP));
      for (const key of keys)
        expect(key).toMatch(/^whole\/executions\/\d{4}-\d\d-\d\d\/[0-9a-f]{24}-[0-9a-f]{16}\.jsonl$/);
    });

    it('has each record once even if a step is repeated, because it overwrites the object', async () => {
      const system = await started('again');
      const { executions } = system;
      let failures = 2;
      const removal: typeof executions.removal = {
        ...executions.removal,
        // The process ends after the copies are stored, and before the records are removed.
        step: (kind, choice, { keepCopies, ...options }) =>
          executions.removal.step(kind, choice, {
            ...options,
            ...(keepCopies && {
              keepCopies: async (records) => {
                await keepCopies(records);
                if (failures-- > 0) throw new Error('ended');
              },
            }),
          }),
      };
      await collect(system, { executions: { ...executions, removal } });
      await emptied(system);
      const { keys, ids } = await copiesBelow('again');
      expect([keys.length, ids.length, new Set(ids).size]).toEqual([Math.ceil(MANY / STEP), MANY, MANY]);
    });

    it('takes the credentials from the environment if no option has them', async () => {
      const system = await started('environment', {
        archive_s3_access_key_id: null,
        archive_s3_secret_access_key: null,
      });
      const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = server;
      await collect(system, { environment: { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } });
      await emptied(system);
      expect((await copiesBelow('environment')).ids).toHaveLength(MANY);
    });

    it.each([
      [
        'the secret key is wrong',
        { archive_s3_secret_access_key: 'wrong-secret' },
        'returned 403 (SignatureDoesNotMatch)',
      ],
      ['the bucket does not exist', { archive_path: 's3://missing/x' }, 'returned 404 (NoSuchBucket)'],
      ['there is no server', { archive_s3_endpoint: 'http://127.0.0.1:9' }, 'Could not store s3://copies/'],
    ])('removes nothing if %s, and logs why', async (_, options, reason) => {
      const system = await started('refused', options);
      await collect(system);
      await logged(system, reason);
      expect(await system.platform.store.executions.count()).toBe(MANY);
      expect(system.platform.log.join('\n')).not.toContain('wrong-secret');
      expect((await copiesBelow('refused')).keys).toEqual([]);
    });
  });

/** More than fit into one step. */
const MANY = 60;
const STEP = 50;

interface Line {
  readonly _id: string;
}
