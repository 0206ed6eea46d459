import { newId } from '@switchyard/base';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

let api: ApiFixture;
const overrides = { timersengine: { local_timezone: 'Europe/Oslo' } };
beforeAll(async () => void (api = await apiFixture({ overrides })));
afterAll(() => api.close());

const make = async (name: string, type: string, parameters: Record<string, unknown>): Promise<string> =>
  (await api.ada.post('triggers', { name, pack: 'core', type, parameters }).expect(201)).body.id as string;

describe('Timers', () => {
  let id: string;
  beforeAll(async () => {
    id = await make('late', 'core.st2.IntervalTimer', { unit: 'weeks', delta: 49 });
    await make('cron', 'core.st2.CronTimer', { year: 2199, timezone: 'UTC' });
    await make('another', 'core.svc.IntervalTimer', { unit: 'weeks', delta: 50 });
    await make('date', 'core.st2.DateTimer', { date: '2199-01-01T00:00:00Z' });
    await make('hook', 'core.st2.webhook', { url: 'timers' });
  });
  /** Does what the timers service does for a new timer. */
  const enter = async (ref: string, anchor: number) => {
    const { body } = await api.ada.get(`timers/${ref}`).expect(200);
    const record = { _id: body.id as string, trigger: ref, fingerprint: '', anchor, written_at: 0 };
    await api.store.timers.enter(record, undefined);
  };
  const names = (body: { name: string }[]) => body.map(({ name }) => name);

  it('are all listed, in the order in which they were first seen', async () => {
    await enter('core.late', 2);
    await enter('core.cron', 1);
    const { body, headers } = await api.ada.get('timers').expect(200);
    expect(names(body)).toEqual(['cron', 'late', 'another', 'date']);
    expect(headers).toMatchObject({ 'x-total-count': '4' });
    const page = await api.ada.get('timers?limit=2&offset=1').expect(200);
    expect(names(page.body)).toEqual(['late', 'another']);
    expect(page.headers).toMatchObject({ 'x-total-count': '4', 'x-limit': '2' });
  });

  it.each([
    ['core.st2.IntervalTimer', ['late', 'another']],
    ['core.svc.IntervalTimer', ['late', 'another']],
    ['core.st2.DateTimer', ['date']],
    ['core.st2.CronTimer', ['cron']],
  ])('are listed by the type %s', async (type, expected) => {
    expect(names((await api.ada.get(`timers?timer_type=${type}`).expect(200)).body)).toEqual(expected);
  });

  it.each(['nope', 'core.st2.webhook'])('are not of the type %s', async (type) => {
    const { body } = await api.ada.get(`timers?timer_type=${type}`).expect(400);
    expect(body.faultstring).toBe(
      `Timer type ${type} not in supported types - ` +
        "dict_keys(['core.st2.IntervalTimer', 'core.st2.DateTimer', 'core.st2.CronTimer']).",
    );
  });

  it('are read by reference and by id, like any other trigger', async () => {
    const expected = {
      id,
      uid: expect.stringMatching(/^trigger:core:late:[0-9a-f]{32}$/),
      ref: 'core.late',
      name: 'late',
      pack: 'core',
      type: 'core.st2.IntervalTimer',
      parameters: { unit: 'weeks', delta: 49 },
    };
    expect((await api.ada.get('timers/core.late').expect(200)).body).toEqual(expected);
    expect((await api.ada.get(`timers/${id}`).expect(200)).body).toEqual(expected);
    expect((await api.ada.get('timers/core.hook').expect(200)).body).toMatchObject({ type: 'core.st2.webhook' });
  });

  it('that do not exist are a 404', async () => {
    const { body } = await api.ada.get('timers/core.nope').expect(404);
    expect(body.faultstring).toBe('Resource with a reference or id "core.nope" not found');
  });

  it('tell their next times, as many as asked for', async () => {
    const week = 7 * 24 * 3600 * 1_000_000;
    await make('weekly', 'core.st2.IntervalTimer', { unit: 'weeks', delta: 1 });
    const estimated = (await api.ada.get('timers/core.weekly/next').expect(200)).body;
    expect(estimated).toEqual({ timer: 'core.weekly', registered: false, times: expect.any(Array) });
    expect(estimated.times).toHaveLength(10);
    await enter('core.weekly', Date.parse('2199-01-01T00:00:00Z') * 1000 - week);
    const { body } = await api.ada.get('timers/core.weekly/next?count=2').expect(200);
    const times = ['2199-01-01T00:00:00.000000Z', '2199-01-08T00:00:00.000000Z'];
    expect(body).toEqual({ timer: 'core.weekly', registered: true, times });
  });

  it('tell fewer times if they end', async () => {
    expect((await api.ada.get('timers/core.date/next').expect(200)).body.times).toEqual([
      '2199-01-01T00:00:00.000000Z',
    ]);
  });

  it('use the configured time zone if they name none', async () => {
    await make('daily', 'core.st2.CronTimer', { year: 2199, month: 7, day: 1, hour: 9, minute: 0, second: 0 });
    expect((await api.ada.get('timers/core.daily/next').expect(200)).body.times).toEqual([
      '2199-07-01T07:00:00.000000Z',
    ]);
  });

  it('tell when they fire in the next hours, the first times of those that fire often, and why an invalid one does not', async () => {
    await make('often', 'core.st2.IntervalTimer', { unit: 'seconds', delta: 5 });
    await make('two_days', 'core.st2.IntervalTimer', { unit: 'days', delta: 2 });
    await enter('core.often', Date.parse('2020-01-01T00:00:00Z') * 1000);
    await api.store.triggers.insert({ _id: newId(), uid: 'trigger:core:broken:-', ref: 'core.broken', name: 'broken', pack: 'core', type: 'core.st2.IntervalTimer', parameters: { unit: 'fortnights', delta: 1 }, parameters_hash: '-' }); // oxfmt-ignore
    const upcoming = async (query: string) => {
      const { body } = await api.ada.get(`timers/views/upcoming${query}`).expect(200);
      return new Map((body as { timer: string }[]).map(({ timer, ...shown }) => [timer, shown]));
    };
    const day = await upcoming('');
    expect([...day.keys()]).toEqual(expect.arrayContaining(['core.late', 'core.cron', 'core.date', 'core.often']));
    expect(day.get('core.two_days')).toEqual({ registered: false, times: [], more: false });
    expect(day.get('core.broken')).toMatchObject({ times: [], problem: expect.stringContaining('fortnights') });
    const often = day.get('core.often') as unknown as { times: string[] };
    expect(often).toMatchObject({ registered: true, more: true });
    expect(often.times).toHaveLength(50);
    expect(Date.parse(often.times[49]!) - Date.parse(often.times[0]!)).toBe(49 * 5000);
    expect((await upcoming('?hours=168')).get('core.two_days')).toMatchObject({
      times: Array(3).fill(expect.any(String)),
    });
  });

  it.each([
    ['views/upcoming?hours=0', 400, '"hours"'],
    ['views/upcoming?hours=169', 400, '"hours"'],
    ['core.hook/next', 400, 'Timer type core.st2.webhook not in supported types'],
    ['core.nope/next', 404, 'Resource with a reference or id "core.nope" not found'],
    ['core.late/next?count=0', 400, '"count"'],
    ['core.late/next?count=101', 400, '"count"'],
  ])('refuse to tell the times of %s with a %i', async (path, status, text) => {
    const { body } = await api.ada.get(`timers/${path}`).expect(status);
    expect(body.faultstring).toContain(text);
  });
});
