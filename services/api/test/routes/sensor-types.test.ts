import { newId } from '@switchyard/base';
import type { SensorTypeRecord } from '@switchyard/model';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
  // The shipped packs contain sensors, too.
  for (const { _id } of await api.store.sensorTypes.list()) await api.store.sensorTypes.remove(_id);
  await api.store.sensorTypes.insert(sensor('tests', 'Probe'));
  await api.store.sensorTypes.insert(sensor('core', 'Inner', { enabled: false, trigger_types: ['core.other'] }));
});
afterAll(() => api.close());

const sensor = (pack: string, name: string, more: Partial<SensorTypeRecord> = {}): SensorTypeRecord => ({
  _id: newId(),
  ref: `${pack}.${name}`,
  uid: `sensor_type:${pack}:${name}`,
  name,
  pack,
  class_name: name,
  enabled: true,
  artifact_uri: `file:///packs/${pack}/sensors/probe.py`,
  entry_point: `sensors.probe.${name}`,
  trigger_types: [`${pack}.tick`],
  metadata_file: 'sensors/probe.yaml',
  content_hash: 'x',
  ...more,
});

describe('Sensors', () => {
  it.each([
    ['', ['core.Inner', 'tests.Probe']],
    ['?pack=tests', ['tests.Probe']],
    ['?name=Inner,Probe&sort=-ref', ['tests.Probe', 'core.Inner']],
    ['?trigger=core.other', ['core.Inner']],
    ['?enabled=True', ['tests.Probe']],
    ['?enabled=0', ['core.Inner']],
    ['?enabled=', ['core.Inner', 'tests.Probe']],
    ['?limit=1&offset=1', ['tests.Probe']],
    ['?limit=1&include_attributes=name', ['core.Inner']],
  ])('are listed by "%s"', async (query, refs) => {
    const { body, headers } = await api.ada.get(`sensortypes${query}`).expect(200);
    expect(body.map(({ ref }: { ref: string }) => ref)).toEqual(refs);
    if (query.includes('limit')) expect(headers).toMatchObject({ 'x-total-count': '2', 'x-limit': '1' });
    else expect(headers).not.toHaveProperty('x-limit');
  });

  it('refuse a filter that is neither true nor false', async () => {
    const { body } = await api.ada.get('sensortypes?enabled=perhaps').expect(400);
    expect(body.faultstring).toBe('Invalid bool representation "perhaps" provided.');
  });

  it('are read by reference and id, without internal fields', async () => {
    const { body } = await api.ada.get('sensortypes/tests.Probe').expect(200);
    expect(body).toEqual({
      id: expect.any(String),
      ref: 'tests.Probe',
      uid: 'sensor_type:tests:Probe',
      name: 'Probe',
      pack: 'tests',
      enabled: true,
      artifact_uri: 'file:///packs/tests/sensors/probe.py',
      entry_point: 'sensors.probe.Probe',
      trigger_types: ['tests.tick'],
      metadata_file: 'sensors/probe.yaml',
    });
    expect((await api.ada.get(`sensortypes/${body.id}`).expect(200)).body).toEqual(body);
    const { body: unknown } = await api.ada.get('sensortypes/tests.Nobody').expect(404);
    expect(unknown.faultstring).toBe('Resource with a reference or id "tests.Nobody" not found');
  });

  it('show the last lines that they wrote, and those that came after an earlier request', async () => {
    const { sensorLogs } = api.store;
    const line = (at: number) => ({ at, source: 'stdout' as const, text: `line ${at}` });
    const add = (at: number, count: number) => {
      const lines = Array.from({ length: count }, (_, index) => line(at + index));
      return sensorLogs.append({ _id: newId(), sensor: 'tests.Probe', at: at + count, count, lines });
    };
    const read = async (query = '') => (await api.ada.get(`sensortypes/tests.Probe/log${query}`).expect(200)).body;
    expect(await read()).toEqual({ lines: [], next: '0' });
    await add(1000, 300);
    await add(2000, 260);
    const first = await read();
    expect([first.lines.length, first.lines.at(-1), first.next]).toEqual([
      ...[500, { timestamp: '1970-01-01T00:00:00.002259Z', source: 'stdout', text: 'line 2259' }, '2260'],
    ]);
    expect((await read('?lines=2')).lines.map(({ text }: { text: string }) => text)).toEqual([
      'line 2258',
      'line 2259',
    ]);
    expect(await read(`?after=${first.next}`)).toEqual({ lines: [], next: first.next });
    await add(3000, 1);
    expect(await read(`?after=${first.next}`)).toMatchObject({ lines: [{ text: 'line 3000' }], next: '3001' });
    const { body } = await api.ada.get('sensortypes/tests.Probe/log?after=soon').expect(400);
    expect(body.faultstring).toContain('"next"');
  });

  it('show their state', async () => {
    const owner = { instance: newId(), host: 'east', pid: 7 };
    const { sensorStates } = api.store;
    await sensorStates.claim('tests.Probe', owner);
    await sensorStates.change('tests.Probe', owner.instance, {
      set: {
        state: 'waiting',
        started_at: 0,
        next_start_at: 1_000_000,
        last_exit: { exit_code: null, signal: 'SIGKILL', at: 500_000 },
      },
      inc: { restarts: 2 },
    });
    const state = {
      name: 'waiting',
      restarts: 2,
      host: 'east',
      started_at: '1970-01-01T00:00:00.000000Z',
      next_start_at: '1970-01-01T00:00:01.000000Z',
      last_exit: { exit_code: null, signal: 'SIGKILL', at: '1970-01-01T00:00:00.500000Z' },
    };
    expect((await api.ada.get('sensortypes/tests.Probe')).body.state).toEqual(state);
    const listed = await api.ada.get('sensortypes?include_attributes=state');
    expect(listed.body).toEqual([
      { id: expect.any(String), ref: 'core.Inner' },
      { id: expect.any(String), ref: 'tests.Probe', state },
    ]);
  });

  it('can be disabled and enabled, and nothing else is changed', async () => {
    const off = await api.ada.put('sensortypes/tests.Probe', { enabled: false, name: 'Other' }).expect(200);
    expect(off.body).toMatchObject({ name: 'Probe', enabled: false });
    expect((await api.store.sensorTypes.byKey('tests.Probe'))?.enabled).toBe(false);
    await api.ada.put('sensortypes/tests.Probe', { enabled: true }).expect(200);
  });

  it.each([
    ['tests.Nobody', { enabled: true }, 404],
    ['core.Inner', { enabled: true }, 400],
    ['tests.Probe', {}, 400],
    ['tests.Probe', { enabled: 'yes' }, 400],
    ['tests.Probe', [], 400],
  ])('changing %s to %j is a %i', async (ref, body, status) => {
    const answer = await api.ada.put(`sensortypes/${ref}`, body);
    expect([answer.status, typeof answer.body.faultstring]).toEqual([status, 'string']);
  });

  it('can be deleted, except for those of system packs', async () => {
    const { _id } = await api.store.sensorTypes.insert(sensor('tests', 'Passing'));
    await api.ada.delete(`sensortypes/${_id}`).expect(204);
    await api.ada.get('sensortypes/tests.Passing').expect(404);
    await api.ada.delete('sensortypes/tests.Passing').expect(404);
    const { body } = await api.ada.delete('sensortypes/core.Inner').expect(400);
    expect(body.faultstring).toBe("Resources belonging to system level packs can't be manipulated");
  });
});
