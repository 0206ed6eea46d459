import { leakCheck } from '@switchyard/testkit/platform';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

const later = leakCheck('all');
let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
  later(() => api.close());
});

const requested = async (trace?: Record<string, unknown>): Promise<string> => {
  const context = trace ? { context: { trace_context: trace } } : {};
  const { body } = await api.ada.post('executions', { action: 'core.noop', ...context }).expect(201);
  return body.id as string;
};

it('are listed, latest first, with their count', async () => {
  const ids = [await requested({ trace_tag: 'list-1' }), await requested({ trace_tag: 'list-2' })];
  const { body, headers } = await api.ada.get('traces?limit=2').expect(200);
  expect(body.map((trace: { trace_tag: string }) => trace.trace_tag)).toEqual(['list-2', 'list-1']);
  expect(headers).toMatchObject({ 'x-limit': '2', 'x-total-count': '2' });
  expect(body[1]).toMatchObject({
    uid: expect.stringMatching(/^trace:[0-9a-f]{32}$/),
    rules: [],
    trigger_instances: [],
    action_executions: [{ object_id: ids[0], ref: 'core.noop', caused_by: {} }],
  });
  const ascending = await api.ada.get('traces?sort_asc=True&include_attributes=trace_tag').expect(200);
  expect(ascending.body.map(Object.keys)).toEqual([
    ['id', 'trace_tag'],
    ['id', 'trace_tag'],
  ]);
  expect(ascending.body[0].trace_tag).toBe('list-1');
});

it('are found by their parts, even if nothing was stored', async () => {
  const [tagged, plain] = [await requested({ trace_tag: 'found' }), await requested()];
  const byTag = await api.ada.get('traces?trace_tag=found').expect(200);
  expect((await api.ada.get(`traces?execution=${tagged}`)).body).toEqual(byTag.body);
  const [own] = (await api.ada.get(`traces?execution=${plain}`).expect(200)).body;
  expect(own.trace_tag).toMatch(/^execution-[0-9a-f]{24}$/);
  expect((await api.ada.get(`traces/${own.id}`).expect(200)).body).toEqual(own);
  expect((await api.ada.get('traces?execution=000000000000000000000000').expect(200)).body).toEqual([]);
});

it.each(['000000000000000000000000', 'nope'])('that do not exist (%s) are not found', async (id) => {
  const { body } = await api.ada.get(`traces/${id}`).expect(404);
  expect(body.faultstring).toBe(`Unable to identify resource with id "${id}".`);
});

it.each([
  [{ id_: '000000000000000000000000' }, "Unable to find the TraceDB instance. {'id': '000000000000000000000000'}"],
  [{ id_: 'nope' }, "Unable to find the TraceDB instance. {'id': 'nope'}"],
  [{ nope: 1 }, 'trace_context'],
  ['x', 'trace_context'],
])('an execution in %j is refused', async (trace, text) => {
  const { body } = await api.ada
    .post('executions', { action: 'core.noop', context: { trace_context: trace } })
    .expect(400);
  expect(body.faultstring).toContain(text);
});
