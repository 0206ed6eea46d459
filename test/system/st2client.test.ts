import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@switchyard/testkit/platform';
import { login, type ApiCaller } from './api-caller';
import { ROOT, startSystem, type SystemProcess } from './system-process';

const MINUTE = 60_000;
/** The first action waits until a hundred packages are installed, and nothing shows the progress. */
const INSTALLATION_MS = 8 * MINUTE;
const python = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;
// The shared environment has a hundred packages, so only `.ci/run` creates one.
const isDue = process.env['SVC_TEST_SERVERS'] === 'required';
if (isDue && !python) throw new Error('There is no python3 with venv, and CI has to test the shared environment.');
if (!isDue) console.warn('Skipped: the packages of the shared environment, which are for SVC_TEST_SERVERS=required.');

/** With the shared environment, which the system creates because the pack imports its packages. */
(isDue ? describe : describe.skip)('an action of a pack without requirements', () => {
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

  async function run(action: string, parameters: Record<string, unknown>): Promise<Ended> {
    const { body } = await api.call('POST', '/v1/executions', { action, parameters });
    return eventually(
      async () => {
        const { body: now } = await api.call('GET', `/v1/executions/${(body as { id: string }).id}`);
        return ['succeeded', 'failed', 'timeout'].includes((now as Ended).status) ? (now as Ended) : undefined;
      },
      () => `the end of ${action}:\n${system.output()}`,
      INSTALLATION_MS,
    );
  }

  it(
    "runs actions and stores items with StackStorm's client, as the user who requested it",
    async () => {
      const ended = await run('visitor.visit', { message: 'good day' });
      expect(outcome(ended)).toEqual([
        'succeeded',
        {
          version: '3.9.0',
          class: 'st2client.client.Client',
          user: 'testu',
          kept: 'good day',
          actions: ['visitor.unpack', 'visitor.visit'],
          missing: [],
        },
      ]);
      expect((await api.call('GET', '/v1/keys/visited')).body).toMatchObject({ value: 'good day' });
    },
    INSTALLATION_MS + MINUTE,
  );

  it(
    'can import the packages that StackStorm has, and return their values',
    async () => {
      const ended = await run('visitor.unpack', { when: '2026-01-02T03:04:05Z' });
      expect(outcome(ended)).toEqual([
        'succeeded',
        {
          eventlet: 'green',
          git: 'Ada',
          jinja2: 'rendered',
          networkx: [0, 1, 2],
          json: [{ a: [1] }, { a: [1] }, { a: [1] }],
          paramiko: true,
          pytz: 'Europe/Prague',
          requests: 'http://localhost/a?b=1',
          six: 'http://localhost/a/b',
          yaml: { a: true },
          cryptography: 'sealed',
          dateutil: '2026-01-02T03:04:05+00:00',
          prettytable: true,
          st2client: 'a',
          isotime: true,
        },
      ]);
    },
    5 * MINUTE,
  );

  it(
    'has eventlet, with which sensors dispatch, wait and stop',
    () => {
      const [version = ''] = readdirSync(join(system.directory, 'shared-python')).filter((name) => /^\d/.test(name));
      const ended = spawnSync(
        join(system.directory, 'shared-python', version, 'bin/python'),
        ['-B', '-m', 'unittest', '-v', 'tests.test_green_sensors'],
        { cwd: join(ROOT, 'python'), encoding: 'utf8' },
      );
      expect(ended.stderr).toMatch(/^test_dispatches_from_the_main_thread_and_from_a_green_thread .*ok$/m);
      expect(ended.stderr).toMatch(/^OK$/m);
    },
    5 * MINUTE,
  );
});

/** The value of an action that has succeeded, or the errors of another. */
const outcome = ({ status, result }: Ended) => [status, status === 'succeeded' ? result.result : result.stderr];

interface Ended {
  readonly status: string;
  readonly result: { readonly result?: unknown; readonly stderr: string };
}
