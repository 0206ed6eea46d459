import { newId } from '@switchyard/base';
import { apiFixture, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => (api = await apiFixture()));
afterAll(() => api.close());

describe('trigger types', () => {
  it('are created and deleted with their trigger', async () => {
    const { body } = await api.ada.post('triggertypes', { name: 'simple', pack: 'default' }).expect(201);
    expect(body).toMatchObject({ ref: 'default.simple', uid: 'trigger_type:default:simple', payload_schema: {} });
    expect(body).not.toHaveProperty('metadata_file');
    expect((await api.ada.get('triggers?type=default.simple')).body).toMatchObject([{ ref: 'default.simple' }]);
    const [all, none] = [await api.ada.get('triggers'), await api.ada.get('triggers/?type=None')];
    expect(none.body).toEqual(all.body);
    const changed = { ...body, description: 'x', parameters_schema: { type: 'object' } };
    expect((await api.ada.put('triggertypes/default.simple', changed).expect(200)).body.id).toBe(body.id);
    expect((await api.ada.get('triggers?type=default.simple')).body).toEqual([]);
    await api.ada.delete(`triggertypes/${body.id}`).expect(204);
    await api.ada.get('triggertypes/default.simple').expect(404);
  });

  it('are found by either prefix', async () => {
    const { body } = await api.ada.get('triggertypes/core.svc.webhook').expect(200);
    expect(body.ref).toBe('core.st2.webhook');
    const { body: list } = await api.ada.get('triggertypes?name=svc.webhook,st2.CronTimer&include_attributes=name');
    expect(list.map(({ name }: { name: string }) => name)).toEqual(['st2.CronTimer', 'st2.webhook']);
  });

  it.each([
    [{}, /name=None/],
    [{ name: 'a', pack: 'core' }, /system level packs/],
    [{ name: 'a', pack: 'default', payload_schema: { type: 'nope' } }, /Invalid schema/],
    [null, /is not of type 'object'/],
  ])('%j is refused', async (body, text) => {
    const answer = await api.ada.post('triggertypes').type('json').send(JSON.stringify(body));
    expect([answer.status, answer.body.faultstring]).toEqual([400, expect.stringMatching(text)]);
  });

  it('that are built in cannot be changed', async () => {
    await api.ada.put('triggertypes/core.st2.webhook', { name: 'st2.webhook', pack: 'core' }).expect(400);
    await api.ada.delete('triggertypes/core.st2.webhook').expect(400);
  });
});

describe('triggers', () => {
  const mine = { name: 'mine', pack: 'default', type: 'core.st2.webhook', parameters: { url: 'mine' } };

  it('can be created, changed and deleted through the API', async () => {
    const { body } = await api.ada.post('triggers', mine).expect(201);
    expect((await api.ada.post('triggers', { ...mine, parameters: { url: 'other' } }).expect(201)).body).toEqual(body);
    const changed = { ...mine, parameters: { url: 'else' } };
    expect((await api.ada.put(`triggers/${body.id}`, changed).expect(200)).body.parameters).toEqual({ url: 'else' });
    expect((await api.ada.get('triggers/default.mine').expect(200)).body.id).toBe(body.id);
    expect((await api.ada.get('triggers?type=None').expect(200)).body).toContainEqual(
      expect.objectContaining({ ref: 'default.mine' }),
    );
    await api.ada.delete(`triggers/${body.id}`).expect(204);
    await api.ada.delete(`triggers/${body.id}`).expect(404);
  });

  it.each([
    [{ ...mine, type: undefined }, /'type' is a required property/],
    [{ ...mine, type: 'nope' }, /^Invalid resource reference: nope$/],
    [{ ...mine, type: '.nope' }, /^Invalid resource reference: .nope$/],
    [{ ...mine, type: 'nope.', parameters: {} }, /^Invalid resource reference: nope.$/],
    [{ ...mine, parameters: {} }, /'url' is a required property/],
    [{ ...mine, parameters: 'x' }, /'x' is not of type 'object'/],
    [{ ...mine, type: 'core.st2.IntervalTimer', parameters: { delta: 0, unit: 'days' } }, /1 or more/],
  ])('%j is refused', async (body, text) => {
    expect((await api.ada.post('triggers', body).expect(400)).body.faultstring).toMatch(text);
    await api.ada.get('triggers/default.mine').expect(404);
  });
});

describe('trigger instances', () => {
  it('are found by trigger, type, status and time', async () => {
    await api.ada.post('triggertypes', { name: 'event', pack: 'default' }).expect(201);
    const [first, second] = [
      await api.triggers.dispatch({ trigger: 'default.event', payload: { n: 1 } }),
      await api.triggers.dispatch({ trigger: 'default.event', payload: { n: 2 } }),
    ];
    const list = async (query: string) =>
      (await api.ada.get(`triggerinstances?${query}`).expect(200)).body.map(({ id }: { id: string }) => id);
    expect(await list('trigger=default.event')).toEqual([second._id, first._id]);
    expect(await list('trigger_type=default.event&status=pending&limit=1')).toEqual([second._id]);
    expect(await list('trigger=default.event&status=processed')).toEqual([]);
    expect(await list('trigger_type=default.nope')).toEqual([]);
    const { body } = await api.ada.get(`triggerinstances/${first._id}`).expect(200);
    expect(body).toMatchObject({ trigger: 'default.event', payload: { n: 1 }, status: 'pending' });
    expect(await list(`trigger=default.event&timestamp_gt=${body.occurrence_time}`)).toEqual([second._id]);
    await api.ada.get('triggerinstances?timestamp_gt=noon').expect(400);
  });

  it.each([newId(), 'nope'])('that do not exist are a 404, and are not emitted again (%s)', async (id) => {
    const faultstring = `Unable to identify resource with id "${id}".`;
    expect((await api.ada.get(`triggerinstances/${id}`).expect(404)).body).toEqual({ faultstring });
    expect((await api.ada.post(`triggerinstances/${id}/re_emit`).expect(404)).body).toEqual({ faultstring });
  });

  it('are emitted again in the same trace', async () => {
    const trigger = 'core.st2.key_value_pair.create';
    const traceContext = { trace_tag: 'tag' };
    const first = await api.triggers.dispatch({ trigger, payload: { object: 1 }, traceContext });
    const { body } = await api.ada.post(`triggerinstances/${first._id}/re_emit`).expect(200);
    expect(body).toEqual({
      message: `Trigger instance ${first._id} succesfully re-sent.`,
      payload: { object: 1, __context: { original_id: first._id } },
    });
    const [again] = await api.store.triggerInstances.list({ sort: { occurrence_time: -1 }, limit: 1 });
    expect(again).toMatchObject({ trigger, payload: body.payload, trace_context: traceContext, status: 'pending' });
    await api.ada.post(`triggerinstances/${newId()}/re_emit`).expect(404);
  });
});
