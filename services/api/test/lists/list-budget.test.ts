import { KIB, MIB, newId } from '@switchyard/base';
import type { ExecutionRecord, TriggerInstanceRecord } from '@switchyard/model';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

const LARGEST = 256 * KIB;
const large = 'x'.repeat(LARGEST);

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture({ overrides: { limits: { max_list_bytes: 4 * LARGEST } } });
});
afterAll(() => api.close());

const echo = { action: 'core.echo', parameters: { message: 'hello' } };

async function instance(given: Partial<TriggerInstanceRecord>): Promise<string> {
  const { record } = await api.store.triggerInstances.insertOnce({
    _id: newId(),
    trigger: 'core.test',
    payload: {},
    occurrence_time: 1,
    status: 'processed',
    ...given,
  });
  return record._id;
}

/** Executions as stored, with the given changes. */
async function copies(of: string, count: number, given: Partial<ExecutionRecord>, store = api.store): Promise<void> {
  const record = (await api.store.executions.get(of)) as ExecutionRecord;
  for (let index = 0; index < count; index++)
    await store.executions.insert({ ...record, _id: newId(), liveaction_id: newId(), ...given });
}

describe('a list', () => {
  it('leaves out a result that is too large, and reports its size and address', async () => {
    const id = await api.ran(echo, 'succeeded', { stdout: large });
    const { body } = await api.ada.get(`executions?id=${id}`).expect(200);
    const [{ left_out: leftOut, ...shown }] = body;
    const size = shown.result_size as number;
    expect(shown).toMatchObject({ id, status: 'succeeded', parameters: { message: 'hello' } });
    expect(shown).not.toHaveProperty('result');
    expect(leftOut).toEqual([{ attribute: 'result', size, link: `/v1/executions/${id}` }]);
    const whole = await api.ada.get(leftOut[0].link.slice('/v1/'.length)).expect(200);
    expect(whole.body.result).toEqual({ stdout: large });
  });

  it('shows any number of small parts, in one page that is sent while it is read', async () => {
    const payload = { text: 'y'.repeat(60 * KIB) };
    const trigger = `core.${newId()}`;
    for (let index = 0; index < 100; index++) await instance({ trigger, payload });
    const { body, headers } = await api.ada.get(`triggerinstances?trigger=${trigger}&limit=100`).expect(200);
    expect(headers).toMatchObject({ 'x-total-count': '100', 'x-limit': '100', 'transfer-encoding': 'chunked' });
    expect(body).toHaveLength(100);
    expect(new Set(body.map((item: TriggerInstanceRecord) => item.payload['text']))).toEqual(new Set([payload.text]));
  });

  it('leaves out the rest when large parts have used up the budget', async () => {
    const trigger = `core.${newId()}`;
    const payload = { text: 'z'.repeat(200 * KIB) };
    for (let index = 0; index < 8; index++) await instance({ trigger, payload, occurrence_time: index });
    const { body } = await api.ada.get(`triggerinstances?trigger=${trigger}`).expect(200);
    const shown = body.map((item: TriggerInstanceRecord) => 'text' in (item.payload ?? {}));
    expect(shown).toEqual([true, true, true, true, true, false, false, false]);
    expect(body[7].left_out).toEqual([
      { attribute: 'payload.text', size: 200 * KIB + 2, link: `/v1/triggerinstances/${body[7].id}` },
    ]);
  });

  it('leaves out parts of live actions, children, traces, API keys and datastore items alike', async () => {
    const parent = await api.ran(echo);
    await copies(await api.ran(echo), 1, { parent, context: { user: 'ada', note: large } });
    await api.store.executions.change(parent, {}, { set: { has_children: true } });
    const [child] = (await api.ada.get(`executions/${parent}/children`).expect(200)).body;
    const note = { attribute: 'context.note', size: LARGEST + 2 };
    expect(child).toMatchObject({
      context: { user: 'ada' },
      left_out: [{ ...note, link: `/v1/executions/${child.id}` }],
    });

    const live = (await api.ada.get(`liveactions?parent=${parent}`).expect(200)).body[0];
    expect(live.left_out).toEqual([{ ...note, link: `/v1/liveactions/${live.id}` }]);

    const key = (await api.ada.post('apikeys', { metadata: { note: large } }).expect(201)).body;
    const keys = (await api.ada.get('apikeys').expect(200)).body as { id: string; left_out?: unknown }[];
    expect(keys.find(({ id }) => id === key.id)?.left_out).toEqual([
      { attribute: 'metadata.note', size: LARGEST + 2, link: `/v1/apikeys/${key.id}` },
    ]);

    await api.datastore.put({ scope: 'system', name: 'long' }, { value: large, secret: false });
    const [item] = (await api.ada.get('keys?name=long').expect(200)).body;
    expect(item.left_out).toMatchObject([{ attribute: 'value', size: LARGEST + 2 }]);
    const stored = await api.ada.get(item.left_out[0].link.slice('/v1/'.length)).expect(200);
    expect(stored.body.value).toBe(large);
  });

  it('shows an unreadable record with its id, along with the others', async () => {
    const id = await api.ran(echo);
    const user = newId();
    await copies(id, 1, { context: { user }, log: undefined as never }, await api.damaging());
    await copies(id, 1, { context: { user } });
    const { body } = await api.ada.get(`executions?user=${user}`).expect(200);
    expect(body).toHaveLength(2);
    const unreadable = body.filter((item: object) => 'unreadable' in item);
    expect(unreadable).toEqual([{ id: expect.any(String), unreadable: expect.any(String) }]);
  });
});

it('shows a result that is nested too deep as unreadable, in lists, alone, and as a live action', async () => {
  const user = newId();
  const id = await api.ran(echo);
  const result = `{"stdout":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  await copies(id, 1, { context: { user }, result, result_size: result.length });
  const unreadable = { unreadable: 'nested deeper than 500 levels', size: result.length };
  const [listed] = (await api.ada.get(`executions?user=${user}`).expect(200)).body;
  expect(listed.result).toEqual(unreadable);
  expect((await api.ada.get(`executions/${listed.id}`).expect(200)).body.result).toEqual(unreadable);
  expect((await api.ada.get(`liveactions/${listed.liveaction.id}`).expect(200)).body.result).toEqual(unreadable);
  const raw = await api.ada.get(`executions/${listed.id}/result`).buffer().expect(200);
  expect(raw.text).toBe(result);
});

it('returns a list of results that together exceed the maximum length of a string', async () => {
  const id = await api.ran(echo, 'succeeded', { stdout: 'w'.repeat(11 * MIB) });
  const user = newId();
  await copies(id, 60, { context: { user } });
  const { body } = await api.ada.get(`executions?user=${user}`).expect(200);
  expect(body).toHaveLength(60);
  expect(body.every((item: object) => 'left_out' in item && !('result' in item))).toBe(true);
  await api.ada.get(`executions?user=${user}`).expect(200);
});
