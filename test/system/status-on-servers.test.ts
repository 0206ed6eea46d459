import { serviceNames } from '@switchyard/all-in-one';
import type { SystemStatus } from '@switchyard/model';
import { eventually } from '@switchyard/testkit/platform';
import { login, type ApiCaller } from './api-caller';
import { startCluster, type Cluster } from './cluster-process';
import { serversMissing } from './real-servers';
import { missingForTest, openServersOfTest, type ServersOfTest } from './servers-of-test';

const START_MS = 240_000;
const RUNNER = 'action-runner';
const OTHERS = serviceNames.filter((name) => name !== RUNNER).join(',');

/** Two processes take a quarter of a minute of CPU time, so they only run on request, as in .ci/run. */
const isAsked = process.env['SVC_TEST_SERVERS'] === 'required';
const missing = missingForTest();

if (isAsked && missing === undefined)
  describe('the status of several processes', () => {
    let servers: ServersOfTest;
    let cluster: Cluster;
    let ada: ApiCaller;

    beforeAll(async () => {
      servers = await openServersOfTest();
      cluster = await startCluster({ ...servers, groups: [OTHERS, RUNNER] });
      ada = await login(cluster.api, cluster.auth);
    }, START_MS);
    afterAll(async () => {
      ada?.close();
      await cluster?.stop();
      await servers?.remove();
    }, START_MS);

    const runner = () => cluster.services.find(({ name }) => name === RUNNER)!;
    const status = async () => (await ada.call('GET', '/v1/status')).body as SystemStatus;
    const members = async () => {
      const { body } = await ada.call('GET', '/v1/service_registry/groups/actionrunner/members');
      return (body as { members: { capabilities: { pid: number } }[] }).members.map(({ capabilities }) => capabilities);
    };
    const untilProblems = (...messages: unknown[]) =>
      eventually(
        async () => {
          const { problems } = await status();
          return JSON.stringify(problems.map(({ message }) => message)) === JSON.stringify(messages) && problems;
        },
        () => `not these problems: ${JSON.stringify(messages)}`,
      );

    it(
      'names a killed process until its lease has run out, then the service that nobody runs and what waits for it',
      async () => {
        await untilProblems();
        const { services, leaders } = await status();
        const pidsOf = (name: string) =>
          services.find(({ service }) => service === name)?.replicas.map(({ pid }) => pid) ?? [];
        expect(pidsOf(RUNNER)).toEqual([runner().child?.pid]);
        const others = serviceNames.filter((name) => name !== RUNNER).map(pidsOf);
        expect(others).toEqual(others.map(() => [cluster.services[0]?.child?.pid]));
        expect(leaders.map(({ leadership }) => leadership).sort()).toEqual(['garbage-collector', 'key-rotation', 'timers']); // oxfmt-ignore
        expect(await members()).toEqual([
          { name: 'actionrunner', type: 'passive', hostname: expect.any(String), pid: runner().child?.pid },
        ]);

        await runner().stop('SIGKILL');
        expect(await members()).toHaveLength(1);
        await untilProblems('No process runs the service action-runner: actions do not run.');
        expect(await members()).toEqual([]);
        const execution = { action: 'core.local', parameters: { cmd: 'echo hi' } };
        const { id } = (await ada.call('POST', '/v1/executions', execution)).body as { id: string };
        await untilProblems('No process runs the service action-runner: actions do not run. Waiting for it: 1.');

        runner().start();
        await untilProblems();
        await eventually(
          async () =>
            ((await ada.call('GET', `/v1/executions/${id}`)).body as { status: string }).status === 'succeeded',
          () => 'the execution has not ended',
        );
        await runner().stop();
        // It removed its record itself.
        expect(await members()).toEqual([]);
      },
      START_MS,
    );
  });
else {
  if (missing === undefined) console.warn('Skipped on real servers: SVC_TEST_SERVERS=required runs these tests.');
  else serversMissing(missing);
  it.skip('the status of processes on servers', () => undefined);
}
