import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectionNames, damageRecords, deepBytes, garbled } from '../../libs/storage/test/support/damage';
import { svc } from './run-svc';
import { startSystem, type SystemProcess } from './system-process';

const DEADLINE_MS = 180_000;

const directory = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
const store = join(directory, 'store');
const doctor = (...words: string[]) => svc(['doctor', '--data-dir', directory, ...words]);
let system: SystemProcess | undefined;

const start = async () => (system = await startSystem({ directory }));
const stop = () => system!.stop({ keepData: true });
afterAll(() => system?.stop());

async function asAdmin(): Promise<(path: string) => Promise<unknown[]>> {
  const login = `Basic ${Buffer.from('testu:testp').toString('base64')}`;
  const created = await fetch(`${system!.auth}/tokens`, { method: 'POST', headers: { authorization: login } });
  const { token } = (await created.json()) as { token: string };
  return async (path) => {
    const response = await fetch(`${system!.api}/v1/${path}`, { headers: { 'x-auth-token': token } });
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as unknown[];
  };
}

const LISTS = [
  ...['actions', 'executions', 'liveactions', 'packs', 'rules', 'triggertypes', 'triggers', 'triggerinstances'],
  ...['ruleenforcements', 'policies', 'keys', 'apikeys', 'runnertypes', 'sensortypes', 'traces', 'timers'],
];

/** Damages every record of a collection, or makes the first of some too deep. */
function damageEverything(): string {
  let deep = '';
  for (const collection of collectionNames(store)) {
    let isFirst = true;
    damageRecords(store, collection, (id, bytes) => {
      if (collection !== 'executions' || !isFirst) return garbled(bytes);
      isFirst = false;
      deep = id;
      return deepBytes(
        { _id: id, liveaction_id: id, status: 'succeeded', definition: 'x', action_ref: 'a.b' },
        5000,
        'context',
      );
    });
  }
  return deep;
}

it(
  'svc doctor finds and repairs damaged records, and the system starts with them',
  async () => {
    await start();
    expect(await doctor()).toMatchObject({ code: 1, stderr: expect.stringMatching(/in use by process \d+/) });
    await stop();
    expect(await doctor()).toEqual({ code: 0, stdout: 'No problems were found in the store.\n', stderr: '' });

    const deep = damageEverything();
    await start();
    const list = await asAdmin();
    for (const path of LISTS) await list(path);
    const executions = (await list('executions')) as Record<string, unknown>[];
    expect(executions.map(({ id }) => id)).toContain(deep);
    await stop();

    const listed = await doctor('-j');
    expect(listed.code).toBe(1);
    const findings = JSON.parse(listed.stdout) as Record<string, unknown>[];
    expect(findings.map(({ collection }) => collection)).toEqual(expect.arrayContaining(['actions', 'executions']));
    expect(findings).toContainEqual(
      expect.objectContaining({ collection: 'executions', id: deep, problem: 'too-deep' }),
    );
    expect(await doctor('--repair', '--dry-run')).toMatchObject({ code: 1 });
    expect(await svc(['doctor', '--data-dir', directory, '--repair'], 'n\n')).toMatchObject({ code: 1 });
    expect((await doctor('-j')).stdout).toBe(listed.stdout);

    const repaired = await doctor('--repair', '--yes', '-j');
    expect(repaired).toMatchObject({ code: 0, stderr: expect.stringContaining(directory) });
    const copies = readdirSync(directory).filter((name) => /^doctor-.*\.jsonl$/.test(name));
    expect(copies.map((name) => statSync(join(directory, name)).mode & 0o777)).toEqual([0o600]);
    expect(await doctor()).toMatchObject({ code: 0 });

    await start();
    const after = await asAdmin();
    for (const path of LISTS) expect(JSON.stringify(await after(path))).not.toContain('"unreadable"');
    await stop();
    expect(await doctor('--put-back', join(directory, copies[0]!))).toMatchObject({ code: 0 });
    expect(await doctor()).toMatchObject({ code: 1 });
  },
  DEADLINE_MS,
);

it('svc doctor and svc migrate report a missing store, and svc doctor conflicting options', async () => {
  const elsewhere = join(directory, 'none');
  for (const command of ['doctor', 'migrate'])
    expect(await svc([command, '--data-dir', elsewhere])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: `ERROR: There is no store in ${join(elsewhere, 'store')}.\n`,
    });
  expect(await doctor('--repair', '--put-back', 'x')).toMatchObject({ code: 2 });
  expect(await doctor('--put-back', '/no/such')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/no/such'),
  });
});
