import type { KeyRotation } from '@switchyard/client';
import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';

const rotation: KeyRotation = {
  ...{ stage: 'resealing', keys: { records: 'ab12cd34' }, collection: 'executions', resealed: 7, lost: [] },
  ...{ waiting_for: [], user: 'ada', started_at: '2026-01-01T00:00:00.000000Z' },
};

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const run = (...args: string[]) =>
  svc(['key', 'rotate', ...args], { HOME: '/nowhere', SVC_API_URL: `${server.url}/v1`, SVC_TOKEN: 'token' });

/** The first rotation answers the POST, the others the GETs; the last one stays. */
function answers(...given: Partial<KeyRotation>[]): void {
  const all = given.map((each) => ({ ...rotation, ...each }));
  const next = () => ({ body: all.length > 1 ? all.shift() : all[0] });
  server.on('POST /v1/key_rotation', next);
  server.on('GET /v1/key_rotation', next);
}

test('follows a rotation to its end', async () => {
  answers({ stage: 'adding', waiting_for: ['process 17 on host-b'] }, {}, { stage: 'resealed', resealed: 9 });
  const { code, stdout, stderr } = await run();
  expect([code, server.seen[0]?.body]).toEqual([0, {}]);
  expect(stderr).toBe(
    'Waiting until these have the keys: process 17 on host-b\nresealing: 7 secrets encrypted again, now in executions\n',
  );
  expect(stdout).toBe(
    '9 secrets were encrypted again.\nThe former keys are still in the key files. To remove them: svc key rotate --retire\n',
  );
});

test('--retire requests the removal of the former keys, and counts lost values', async () => {
  answers({ stage: 'retired', lost: [{ key: 'ffffffff', count: 2 }] });
  const { code, stdout } = await run('--retire');
  expect([code, server.seen[0]?.body]).toEqual([0, { retire: true }]);
  expect(stdout).toContain('No key opens 2 others; svc doctor lists them.\nThe former keys were removed.\n');
});

test('reports damaged secrets, and abandons them only on request', async () => {
  const damaged = [{ collection: 'executions', id: 'e1', field: 'sealed_result' }];
  answers({ stage: 'retired', lost: [{ key: 'ffffffff', count: 1 }], damaged });
  const { code, stdout } = await run('--retire', '--abandon-damaged');
  expect([code, server.seen[0]?.body]).toEqual([0, { retire: true, abandon_damaged: true }]);
  expect(stdout).toContain('Damaged: sealed_result of e1 in executions\n');
});

test('reports that no garbage collector is running', async () => {
  answers({ stage: 'adding', idle: true }, { stage: 'resealed' });
  const { code, stderr } = await run();
  expect([code, stderr]).toEqual([
    0,
    'Waiting for a garbage collector: none is running, so the rotation cannot proceed.\n',
  ]);
});

test('a problem ends the command with its message, while the rotation continues', async () => {
  const problem = 'The encryption key file "/k" cannot be used: its mode is 644, expected 600.';
  answers({ stage: 'adding', problem });
  expect(await run()).toEqual({ code: 1, stdout: '', stderr: `ERROR: ${problem}\n` });
});

test.each([
  ['resealing', 1],
  ['resealed', 0],
  ['retired', 0],
] as const)('--check shows a rotation that is %s and ends with %i', async (stage, expected) => {
  answers({ stage });
  const { code, stdout } = await run('--check', '-j');
  expect([code, JSON.parse(stdout)]).toEqual([expected, { ...rotation, stage }]);
  expect(server.seen.map(({ method }) => method)).toEqual(['GET']);
});

test('--check fails if there was none', async () => {
  server.on('GET /v1/key_rotation', () => ({ status: 404, body: { faultstring: 'none' } }));
  expect(await run('--check')).toMatchObject({
    code: 1,
    stderr: 'ERROR: The keys of the store have never been rotated.\n',
  });
});

test.each([
  [['--check', '--retire'], 'Either --check or --retire.'],
  [['--data-dir', '/data'], '--data-dir needs --offline.'],
  [['--abandon-damaged'], '--abandon-damaged needs --retire.'],
])('rejects the options %j', async (words, reason) => {
  expect(await run(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
  expect(server.seen).toEqual([]);
});

test('--offline needs an existing key file, because a new one could decrypt nothing', async () => {
  const { code, stderr } = await run('--offline', '--data-dir', '/no/such/place');
  expect([code, stderr]).toEqual([
    1,
    'ERROR: The encryption key file "/no/such/place/keys/record_keys.json" cannot be used: it does not exist\n',
  ]);
});
