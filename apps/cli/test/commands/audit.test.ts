import { newId } from '@switchyard/base';
import { chainedRecord, type AuditEntry, type AuditHead } from '@switchyard/model';
import { apiFixture, type ApiFixture } from '../../../../services/api/test/support/api-fixture';
import { svc } from '../support/run-svc';

let api: ApiFixture;
let token: string;
beforeAll(async () => {
  api = await apiFixture();
  token = (await api.identities.tokens.issueToken({ user: 'ada' })).token;
});
afterAll(() => api.close());

const run = (...words: string[]) =>
  svc(['audit', ...words], { HOME: '/nowhere', SVC_API_URL: `${api.url}/v1`, SVC_AUTH_TOKEN: token, COLUMNS: '200' });

const entry = (user: string): AuditEntry => ({
  ...{ kind: 'change', user, authenticated_by: 'token', address: '192.0.2.1', operation: 'rules.post' },
  ...{ resource_type: 'rule', resource: 'core.one', outcome: 'succeeded', status: 201, request_id: 'r1', changed: [] },
});

it('lists and verifies a trail, and fails with the first bad record once one is missing', async () => {
  let head: AuditHead = { writer: newId(), sequence: 0, hash: '' };
  for (const user of ['bob', 'cy']) {
    const record = chainedRecord(head, 1_000_000, entry(user));
    await api.store.audit.append([record]);
    head = { writer: record.writer, sequence: record.sequence, hash: record.hash };
  }
  const listed = await run('list', '--user', 'cy', '--outcome', 'succeeded', '-j', '-a', 'user', 'operation');
  expect([listed.code, JSON.parse(listed.stdout)]).toEqual([0, [{ user: 'cy', operation: 'rules.post' }]]);
  expect(JSON.parse((await run('list', '--resource-type', 'pack', '-j')).stdout)).toEqual([]);
  const intact = await run('verify');
  expect([intact.code, intact.stdout.trim()]).toEqual([0, 'The audit trail is intact: 2 records of 1 writers.']);

  await api.store.audit.removeUpTo({ writer: head.writer, sequence: 1 });
  const damaged = await run('verify');
  const bad = `${head.writer}-000000000001`;
  expect(damaged.code).toBe(1);
  expect(damaged.stdout.trim()).toBe(`The audit trail is damaged. First bad record: ${bad}. It is missing.`);
  const asJson = await run('verify', '-j');
  expect([asJson.code, JSON.parse(asJson.stdout)]).toEqual([1, expect.objectContaining({ first_bad: bad })]);
});
