import { anInstance } from '@switchyard/testkit/platform';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
});
afterAll(() => api.close());

it('is requested, shown with readable times, and retires keys only when it is over', async () => {
  await api.ada.get('key_rotation').expect(404);
  const { body } = await api.ada.post('key_rotation', {}).expect(202);
  expect(body).toEqual({
    ...{ stage: 'adding', keys: {}, resealed: 0, lost: [], waiting_for: [], idle: true, user: 'ada' },
    started_at: expect.stringMatching(/Z$/),
  });
  expect((await api.ada.get('key_rotation').expect(200)).body).toEqual(body);
  expect((await api.ada.post('key_rotation', {}).expect(202)).body).toEqual(body);
  const refused = await api.ada.post('key_rotation', { retire: true }).expect(409);
  expect(refused.body).toEqual({
    faultstring: 'The former keys are still in use: the rotation is adding, expected "resealed".',
  });
});

it('is requested with a body that is an object with a flag', async () => {
  await api.ada.post('key_rotation', { retire: 'yes' }).expect(400);
  const { body } = await api.ada.post('key_rotation', { abandon_damaged: true }).expect(400);
  expect(body).toEqual({ faultstring: 'abandon_damaged: expected it together with retire' });
});

it('is idle while no garbage collector is running', async () => {
  const isIdle = async () => (await api.ada.get('key_rotation').expect(200)).body.idle;
  expect(await isIdle()).toBe(true);
  const collector = anInstance({ service: 'key-rotation' });
  await api.store.instances.register(collector);
  expect(await isIdle()).toBeUndefined();
  await api.store.instances.remove(collector._id);
  expect(await isIdle()).toBe(true);
});
