import { login } from './api-caller';
import { startCluster, startService, type Cluster, type ServiceProcess } from './cluster-process';
import { serversMissing } from './real-servers';
import { missingForTest, openServersOfTest, type ServersOfTest } from './servers-of-test';

const START_MS = 240_000;
const MOST_FAILURES = 10;

/** Twelve processes take most of a minute of CPU time, so they only run on request, as in .ci/run. */
const isAsked = process.env['SVC_TEST_SERVERS'] === 'required';
const missing = missingForTest();

if (isAsked && missing === undefined)
  describe('the limit on wrong passwords, with two auth services', () => {
    let servers: ServersOfTest;
    let cluster: Cluster;
    let second: ServiceProcess & { readonly url: string };

    beforeAll(async () => {
      servers = await openServersOfTest();
      cluster = await startCluster(servers);
      second = await startService(cluster, 'auth');
    }, START_MS);
    afterAll(async () => {
      await second?.stop();
      await cluster?.stop();
      await servers?.remove();
    }, START_MS);

    const attempt = async (url: string, user: string, password: string): Promise<number> => {
      const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      const headers = { authorization, 'content-type': 'application/json' };
      return (await fetch(`${url}/tokens`, { method: 'POST', headers, body: '{}' })).status;
    };

    it('counts the failures of both, and holds in both', async () => {
      const urls = [cluster.auth, second.url];
      expect(await attempt(second.url, 'testu', 'testp')).toBe(201);
      const statuses: number[] = [];
      for (let n = 0; n < 14; n++) statuses.push(await attempt(urls[n % 2]!, 'testu', `guess ${n}`));
      expect(statuses).toEqual([...Array(MOST_FAILURES).fill(401), 429, 429, 429, 429]);
      for (const url of urls) expect(await attempt(url, 'testu', 'testp')).toBe(429);
      // Other users are not affected.
      const other = await login(cluster.api, second.url, 'other', 'otherp');
      other.close();
    });

    it('holds when all guesses come at once', async () => {
      const guesses = Array.from({ length: 60 }, (_, n) =>
        attempt([cluster.auth, second.url][n % 2]!, 'other', `guess ${n}`),
      );
      const checked = (await Promise.all(guesses)).filter((status) => status === 401);
      // Each process may be checking one password per thread while the tenth fails.
      expect(checked.length).toBeGreaterThanOrEqual(MOST_FAILURES);
      expect(checked.length).toBeLessThan(MOST_FAILURES + 2 * 8);
      expect(await attempt(second.url, 'other', 'otherp')).toBe(429);
    });
  });
else {
  if (missing === undefined) console.warn('Skipped on real servers: SVC_TEST_SERVERS=required runs these tests.');
  else serversMissing(missing);
  it.skip('the limit on wrong passwords, with two auth services', () => undefined);
}
