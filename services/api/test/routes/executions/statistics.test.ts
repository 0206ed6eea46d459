import { isoToMicros, microsToIso, SECOND_MICROS, systemClock } from '@switchyard/base';
import { createRoleAccess } from '@switchyard/identity';
import { between } from '@switchyard/storage';
import { giveRole } from '@switchyard/testkit/callers';
import { anExecution } from '@switchyard/testkit/system';
import { countedStatistics } from '../../../src/executions/statistics';
import { apiFixture, type ApiFixture, type Client } from '../../support/api-fixture';

const FROM = '2026-01-01T00:00:00.000000Z';
const TO = '2026-01-01T00:10:00.000000Z';
const RANGE = `from=${FROM}&to=${TO}`;

let api: ApiFixture;
let admin: Client;
beforeAll(async () => {
  api = await apiFixture({
    access: (store) => createRoleAccess({ store, clock: systemClock() }),
    overrides: { rbac: { enable: true, backend: 'default' } },
  });
  await giveRole(api.store, 'admin', [], true);
  admin = await api.as('admin');
  const start = isoToMicros(FROM)!;
  const insert = async (second: number, status: 'succeeded' | 'failed' | 'running', seconds: number, more = {}) => {
    const at = start + second * SECOND_MICROS;
    const end = status === 'running' ? {} : { end_timestamp: at + seconds * SECOND_MICROS };
    await api.store.executions.insert(anExecution({ status, start_timestamp: at, ...end, ...more }));
  };
  for (let second = 1; second <= 20; second++) await insert(second, 'succeeded', second);
  await insert(301, 'failed', 2);
  await insert(302, 'running', 0, { action_ref: 'core.noop' });
  await insert(599, 'failed', 3, { action_ref: 'core.noop', parent: 'aaaaaaaaaaaaaaaaaaaaaaaa' });
  await insert(601, 'failed', 3);
});
afterAll(() => api.close());

const read = async (query: string, client = admin) => (await client.get(`executions/views/statistics?${query}`).expect(200)).body; // oxfmt-ignore

describe('GET /executions/views/statistics', () => {
  it('counts executions by time, status and action, and gives percentiles of their durations', async () => {
    expect(await read(`${RANGE}&buckets=2`)).toEqual({
      from: FROM,
      to: TO,
      executions: 23,
      complete: true,
      counted_from: FROM,
      statuses: { succeeded: 20, failed: 2, running: 1 },
      durations: { p50: 9, p95: 19, p99: 20 },
      interval_seconds: 300,
      intervals: [
        { start: FROM, statuses: { succeeded: 20 }, durations: { p50: 10, p95: 19, p99: 20 } },
        {
          start: '2026-01-01T00:05:00.000000Z',
          statuses: { failed: 2, running: 1 },
          durations: { p50: 2, p95: 3, p99: 3 },
        },
      ],
      actions: [
        { action: 'tests.action', executions: 21, ended: 21, failed: 1 },
        { action: 'core.noop', executions: 2, ended: 1, failed: 1 },
      ],
    });
  });

  it.each([
    ['status=failed', 2],
    ['parent=null', 22],
    ['action=core.noop&status=running', 1],
    ['filter=status:failed', 2],
    ['id=aaaaaaaaaaaaaaaaaaaaaaaa', 0],
  ])('filters as the list of executions does: %s', async (query, count) => {
    expect((await read(`${RANGE}&${query}`)).executions).toBe(count);
  });

  it('covers the last hour unless a range is given', async () => {
    const { from, to, executions, intervals } = await read('');
    expect(isoToMicros(to)! - isoToMicros(from)!).toBe(3600 * SECOND_MICROS);
    expect([executions, intervals.length]).toEqual([0, 60]);
  });

  it.each([
    [`from=${TO}&to=${FROM}`, `The parameter "from" must be earlier than "to", but is ${TO}, and "to" is ${FROM}.`],
    ['from=yesterday', 'Datetime value does not match expected format.'],
    ['buckets=0', '0'],
    ['buckets=201', '201'],
    ['buckets=many', 'buckets'],
  ])('refuses %s', async (query, text) => {
    const { body } = await admin.get(`executions/views/statistics?${query}`).expect(400);
    expect(body.faultstring).toContain(text);
  });

  it('counts the newest ones if there are too many, and says from when on none is missing', async () => {
    const range = { from: isoToMicros(FROM)!, to: isoToMicros(TO)!, count: 2 };
    const filter = { start_timestamp: between(range.from, range.to) };
    const read = (most: number) => countedStatistics(api.executions.records, filter, range, most);
    expect(await read(4)).toMatchObject({
      executions: 4,
      complete: false,
      counted_from: microsToIso(range.from + 20 * SECOND_MICROS),
      statuses: { succeeded: 1, failed: 2, running: 1 },
      intervals: [{ statuses: { succeeded: 1 } }, { statuses: { failed: 2, running: 1 } }],
    });
    expect(await read(23)).toMatchObject({ executions: 23, complete: true, counted_from: FROM });
  });

  it('counts only executions that the user may view', async () => {
    await giveRole(api.store, 'eve', ['execution_list', 'action_view@action:core:noop']);
    const { executions, statuses, actions, durations } = await read(RANGE, await api.as('eve'));
    expect({ executions, statuses, actions, durations }).toEqual({
      executions: 2,
      statuses: { failed: 1, running: 1 },
      actions: [{ action: 'core.noop', executions: 2, ended: 1, failed: 1 }],
      durations: { p50: 3, p95: 3, p99: 3 },
    });
  });
});
