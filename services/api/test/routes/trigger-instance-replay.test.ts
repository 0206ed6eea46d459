import { newId } from '@switchyard/base';
import type { TriggerInstanceRecord } from '@switchyard/model';
import { leakCheck } from '@switchyard/testkit/platform';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

const later = leakCheck('all');
let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
  later(() => api.close());
});

async function failed(given: Partial<TriggerInstanceRecord> = {}): Promise<string> {
  const record: TriggerInstanceRecord = {
    _id: newId(),
    trigger: 'default.t',
    payload: { a: 1 },
    occurrence_time: Date.now() * 1000,
    status: 'processing_failed',
    outcome: { matched: [], rules: 0, reason: 'broken' },
    ...given,
  };
  await api.store.triggerInstances.insertOnce(record);
  return record._id;
}

const replay = async (body: Record<string, unknown> = {}) =>
  (await api.ada.post('triggerinstances/replay', body).expect(200)).body;

it('returns failed instances to the rules engine, earliest first', async () => {
  const later_ = await failed();
  const earlier = await failed({ occurrence_time: 1 });
  await failed({ status: 'processed' });
  expect(await replay({ limit: 1 })).toEqual({ replayed: [earlier], left: 1 });
  expect(await replay()).toEqual({ replayed: [later_], left: 0 });
  const record = await api.store.triggerInstances.get(earlier);
  expect(record).toMatchObject({ status: 'pending', due: ['rules-engine'], payload: { a: 1 } });
  expect(record).not.toHaveProperty('outcome');
});

it('is limited to some instances', async () => {
  const [one, other, old] = [await failed(), await failed({ trigger: 'default.u' }), await failed({ occurrence_time: 1 })]; // oxfmt-ignore
  expect((await replay({ ids: [one] })).replayed).toEqual([one]);
  expect((await replay({ since: '1h', trigger: 'default.u' })).replayed).toEqual([other]);
  expect((await replay({ since: '1h' })).replayed).toEqual([]);
  expect((await replay()).replayed).toEqual([old]);
});

it.each([{ limit: 0 }, { limit: 100_000 }, { since: 'soon' }, { ids: ['nope'] }, []])('refuses %j', async (body) => {
  await api.ada.post('triggerinstances/replay', body).expect(400);
});
