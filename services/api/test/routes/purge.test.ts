import { anExecution } from '@switchyard/testkit/platform';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
});
afterAll(() => api.close());

const executions = { kind: 'executions', before: '2020-01-01T00:00:00Z' };

it('removes a limited number of old records at a time, and says where to continue', async () => {
  for (let i = 0; i < 250; i++)
    await api.store.executions.insert(anExecution({ status: 'failed', start_timestamp: 10 + i, end_timestamp: 500 }));
  await api.store.executions.insert(anExecution({ status: 'running', start_timestamp: 11 }));
  const young = await api.store.executions.insert(anExecution({ status: 'failed', end_timestamp: 1 }));
  const first = await api.ada.post('purge', executions).expect(200);
  expect(first.body).toEqual({ removed: 200, next: expect.any(String) });
  const second = await api.ada.post('purge', { ...executions, after: first.body.next }).expect(200);
  expect(second.body).toEqual({ removed: 50 });
  const rest = await api.ada.post('purge', { ...executions, incomplete: true }).expect(200);
  expect(rest.body).toEqual({ removed: 1 });
  expect((await api.store.executions.list({})).map(({ _id }) => _id)).toEqual([young.record._id]);
});

it.each([
  [
    { before: '2062-01-01T00:00:00Z' },
    'before: expected a time in the past, such as 2026-01-31T00:00:00Z; got "2062-01-01T00:00:00Z"',
  ],
  [{ before: 'yesterday' }, 'before: expected a time in the past, such as 2026-01-31T00:00:00Z; got "yesterday"'],
  [{ kind: 'traces', action: 'core.local' }, 'action: expected only with the kind executions; got the kind "traces"'],
  [
    { kind: 'traces', incomplete: true },
    'incomplete: expected only with the kind executions or workflows; got the kind "traces"',
  ],
])('refuses %j', async (body, faultstring) => {
  const refused = await api.ada.post('purge', { ...executions, ...body }).expect(400);
  expect(refused.body).toEqual({ faultstring });
});

it.each([{ kind: 'rules' }, { after: 'there' }, { before: undefined }])('names the wrong field of %j', async (body) => {
  const refused = await api.ada.post('purge', { ...executions, ...body }).expect(400);
  expect(refused.body).toMatchObject({ field: Object.keys(body)[0] });
});
