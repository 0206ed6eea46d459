import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { eventually } from '@switchyard/testkit/platform';
import { login, type ApiCaller } from './api-caller';
import { ROOT, startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;
const python = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;
// The shared environment has a hundred packages, so only `.ci/run` creates one.
const isDue = process.env['SVC_TEST_SERVERS'] === 'required';
if (isDue && !python) throw new Error('There is no python3 with venv, and CI has to test the shared environment.');
if (!isDue) console.warn("Skipped: StackStorm's Python client in actions, which is for SVC_TEST_SERVERS=required.");

/** StackStorm's own client, from the shared environment that the system creates because the pack imports it. */
(isDue ? describe : describe.skip)("an action that uses StackStorm's Python client", () => {
  let system: SystemProcess;
  let api: ApiCaller;

  beforeAll(async () => {
    system = await startSystem({ packs: [join(ROOT, 'test/system/visitor')] });
    api = await login(system.api, system.auth);
  }, 2 * MINUTE);

  afterAll(async () => {
    api?.close();
    await system?.stop();
  }, MINUTE);

  it(
    'runs actions and stores items as the user who requested it',
    async () => {
      const { body } = await api.call('POST', '/v1/executions', {
        action: 'visitor.visit',
        parameters: { message: 'good day' },
      });
      const ended = await eventually(
        async () => {
          const { body: now } = await api.call('GET', `/v1/executions/${(body as { id: string }).id}`);
          return ['succeeded', 'failed', 'timeout'].includes((now as Ended).status) ? (now as Ended) : undefined;
        },
        () => `the end of visitor.visit:\n${system.output()}`,
      );
      expect([ended.status, ended.result.result ?? ended.result.stderr]).toEqual([
        'succeeded',
        {
          version: '3.9.0',
          class: 'st2client.client.Client',
          user: 'testu',
          kept: 'good day',
          actions: ['visitor.visit'],
          missing: [],
        },
      ]);
      expect((await api.call('GET', '/v1/keys/visited')).body).toMatchObject({ value: 'good day' });
    },
    5 * MINUTE,
  );
});

interface Ended {
  readonly status: string;
  readonly result: { readonly result?: unknown; readonly stderr: string };
}
