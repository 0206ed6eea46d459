/// <reference types="jest" />

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@switchyard/testkit/platform';
import { MINUTES, type Ended, type Parameters, type Site } from './site';

/** Examples whose runs are paused, canceled or rerun. */
export const CANCELED: [string, number][] = [
  ['orquesta-test-cancel', 1],
  ['orquesta-test-cancel-subworkflow', 1],
  ['orquesta-test-cancel-subworkflows', 2],
  ['orquesta-test-with-items', 2],
  ['chain-test-cancel', 1],
  ['chain-test-cancel-with-subworkflow', 1],
];

const GONE = 'The file is gone.';

/** Name, number of awaited files, and final output. */
export const PAUSED: [string, number, unknown][] = [
  ['orquesta-test-pause', 1, { said: GONE }],
  ['orquesta-test-pause-resume', 1, { began: 'yes', said: 'a' }],
  ['orquesta-test-pause-subworkflow', 1, { said: `from within: ${GONE}` }],
  ['orquesta-test-pause-subworkflows', 2, { said: `from within: ${GONE}, ${GONE}` }],
  ['orquesta-test-with-items', 2, { waited: 3 }],
  ['chain-test-pause-resume', 1, { said: 'a' }],
  ['chain-test-pause-resume-with-subchain', 1, { inner_said: 'a', said: 'from within: a' }],
  ['chain-test-pause-resume-with-subworkflow', 1, { inner_said: 'a', said: 'from within: a' }],
];

/** These say the same in any case. */
const SILENT = ['orquesta-test-pause', 'orquesta-test-pause-subworkflow'];

export const RERUN = ['orquesta-test-rerun', 'orquesta-test-rerun-with-items'];

/** Tests of pausing, canceling and rerunning. */
export function control(siteOf: () => Site): void {
  let folder: string;
  let made = 0;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-examples-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const file = (content = ''): string => {
    const path = join(folder, `file-${++made}`);
    writeFileSync(path, content);
    return path;
  };

  /** Parameters that make one of the examples wait. */
  function waiting(name: string, count: number): { parameters: Parameters; files: string[] } {
    const files = Array.from({ length: count }, () => file());
    const [first, second] = files;
    if (name.endsWith('with-items'))
      return { files, parameters: { tempfiles: [...files, join(folder, 'none')], concurrency: count } };
    if (count === 2) return { files, parameters: { file1: first, file2: second } };
    const takesMessage = !SILENT.includes(name);
    return { files, parameters: { tempfile: first, ...(takesMessage ? { message: 'a' } : {}) } };
  }

  /** Starts an example and waits until all its waiting actions wait. */
  async function started(name: string, count: number) {
    const { parameters, files } = waiting(name, count);
    const id = await siteOf().start(name, parameters);
    const waits = await Promise.all(files.map((path) => siteOf().until(isWaitingFor(path))));
    return { id, waits, go: () => files.forEach((path) => rmSync(path)) };
  }

  it.each(CANCELED)(
    '%s is canceled with everything in it',
    async (name, count) => {
      const { id, waits } = await started(name, count);
      await siteOf().client.executions.cancel(id);
      const { status, context } = await siteOf().endOf(id);
      expect([status, context?.['cancelled_by']]).toEqual(['canceled', 'testu']);
      for (const wait of waits) expect((await siteOf().endOf(wait.id)).status).toBe('canceled');
      const below = await siteOf().client.executions.descendants(id);
      expect(new Set(below.map((each) => each.status))).toEqual(new Set(['canceled']));
    },
    MINUTES,
  );

  it.each(PAUSED)(
    '%s is paused and resumed',
    async (name, count, output) => {
      const { executions } = siteOf().client;
      const { id, waits, go } = await started(name, count);
      await executions.pause(id);
      await allHeard(siteOf(), id, waits);
      go();
      await siteOf().until((execution) => execution.id === id && execution.status === 'paused');
      const before = await executions.descendants(id);
      expect(before.filter(({ action }) => action.ref === 'core.echo')).toEqual([]);
      await executions.resume(id);
      const { status, result } = await siteOf().endOf(id);
      expect([status, result.output ?? result.published]).toEqual(['succeeded', output]);
    },
    MINUTES,
  );

  it(
    'orquesta-test-pause-subworkflows continues when each of its inner workflows is resumed separately',
    async () => {
      const { executions } = siteOf().client;
      const { id, waits, go } = await started('orquesta-test-pause-subworkflows', 2);
      await executions.pause(id);
      await allHeard(siteOf(), id, waits);
      go();
      await siteOf().until((execution) => execution.id === id && execution.status === 'paused');
      for (const { parent } of waits) {
        await executions.resume(parent!);
        expect((await siteOf().endOf(parent!)).status).toBe('succeeded');
      }
      expect(await siteOf().endOf(id)).toMatchObject({
        status: 'succeeded',
        result: { output: { said: `from within: ${GONE}, ${GONE}` } },
      });
    },
    MINUTES,
  );

  it.each([
    ['from its failed task', ['attempt'], [], ['core.local', 'core.echo']],
    ['from an earlier task', ['before'], [], ['core.noop', 'core.local', 'core.echo']],
    ['as a whole', [], [], ['core.noop', 'core.local', 'core.echo']],
  ])(
    'orquesta-test-rerun is rerun %s',
    async (_, tasks, reset, actions) => {
      const tempfile = file('1');
      const first = await siteOf().run('orquesta-test-rerun', { tempfile });
      expect([first.status, first.result.output]).toEqual(['failed', { began: 'yes' }]);
      writeFileSync(tempfile, '0');
      const { id } = await siteOf().client.executions.rerun(first.id, { tasks, reset });
      const { status, result } = await siteOf().endOf(id);
      expect([status, result]).toEqual(['succeeded', { output: { began: 'yes', said: 'in the end' } }]);
      const below = await siteOf().client.executions.descendants(id);
      expect(below.map(({ action }) => action.ref)).toEqual(actions);
    },
    MINUTES,
  );

  it.each([
    ['items that have failed', [], 2],
    ['items, when it is reset', ['attempt'], 4],
  ])(
    'orquesta-test-rerun-with-items is rerun for the %s',
    async (_, reset, count) => {
      const tempfile = file('1\n3\n');
      const first = await siteOf().run('orquesta-test-rerun-with-items', { tempfile });
      expect(first.status).toBe('failed');
      writeFileSync(tempfile, '');
      const { id } = await siteOf().client.executions.rerun(first.id, { tasks: ['attempt'], reset });
      const { status, result } = await siteOf().endOf(id);
      expect([status, result]).toEqual(['succeeded', { output: { said: ['item 0', 'item 1', 'item 2', 'item 3'] } }]);
      const below = await siteOf().client.executions.descendants(id);
      expect(below.filter(({ action }) => action.ref === 'core.local')).toHaveLength(count);
    },
    MINUTES,
  );
}

const isWaitingFor =
  (path: string) =>
  ({ action, status, parameters }: Ended): boolean =>
    action.ref === 'examples.wait_for_removal' && status === 'running' && parameters?.['tempfile'] === path;

/** Waits until the engine has registered a pause, in this workflow and in the workflows around the waiting action. */
async function allHeard(site: Site, id: string, waits: readonly Ended[]): Promise<void> {
  for (const each of new Set([id, ...waits.map(({ parent }) => parent!)])) await heard(site, each);
}

const heard = (site: Site, id: string) =>
  eventually(
    async () => {
      const { status, body } = await site.api.call('GET', `/v1/executions/${id}/graph`);
      return status === 200 && body.status === 'pausing';
    },
    () => 'the engine to receive a pause',
  );
