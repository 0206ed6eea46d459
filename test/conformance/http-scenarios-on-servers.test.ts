import { startCluster } from '../system/cluster-process';
import { serversMissing } from '../system/real-servers';
import { missingForTest, openServersOfTest } from '../system/servers-of-test';
import { recordedRequests } from './recorded-requests';
import { environment, packs } from './replay-scenarios';
import type { Side } from './side';

/** Takes minutes of CPU time, so it only runs on request, as in .ci/run. */
const isAsked = process.env['SVC_TEST_SERVERS'] === 'required';
const missing = missingForTest();
if (isAsked && missing === undefined) recordedRequests('RabbitMQ and MongoDB, each service a process', serverSide);
else {
  if (missing === undefined) console.warn('Skipped on real servers: SVC_TEST_SERVERS=required runs these tests.');
  else serversMissing(missing);
  it.skip('recorded responses of StackStorm, replayed on servers', () => undefined);
}

async function serverSide(config: string): Promise<Side> {
  const servers = await openServersOfTest();
  const cluster = await startCluster({
    ...servers,
    runners: 3,
    schedulers: 3,
    engines: 2,
    packs,
    environment,
    config,
  });
  return {
    ...cluster,
    async end() {
      await cluster.stop();
      await servers.remove();
    },
  };
}
