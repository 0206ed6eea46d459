import { SECOND_MICROS } from '@switchyard/base';
import { leakCheck } from '@switchyard/testkit/platform';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

const later = leakCheck('all');
let api: ApiFixture;
let start: number;
beforeAll(async () => {
  api = await apiFixture();
  later(() => api.close());
  await api.ada.post('triggertypes', { name: 'happened', pack: 'default' }).expect(201);
  start = Date.now() * 1000 - 3600 * SECOND_MICROS;
  for (let n = 0; n < 450; n++)
    await api.store.triggerInstances.insertOnce({
      _id: n.toString(16).padStart(24, '0'),
      trigger: 'default.happened',
      payload: { n, host: n % 2 === 0 ? 'even' : 'odd' },
      // Groups of five occur at the same time.
      occurrence_time: start + Math.floor(n / 5) * SECOND_MICROS,
      status: 'processed',
    });
});

interface Run {
  trigger_instance: string;
  parameters?: Record<string, unknown>;
  failure_reason?: string;
}

const rule = (more: Record<string, unknown> = {}) => ({
  name: 'draft',
  pack: 'default',
  trigger: { type: 'default.happened' },
  action: { ref: 'core.echo', parameters: { message: '{{ trigger.host }} {{ trigger.n }}' } },
  enabled: true,
  ...more,
});

const backtest = async (more: Record<string, unknown> = {}, since = '1d') =>
  (await api.ada.post('rules/backtest', { rule: rule(more), since }).expect(200)).body;

const messages = (runs: readonly Run[]) => runs.map(({ parameters }) => parameters?.['message']);

it('lists the runs in order, each instance once', async () => {
  const criteria = { 'trigger.host': { type: 'eq', pattern: 'odd' } };
  const report = await backtest({ criteria });
  expect(report).toMatchObject({ trigger: 'default.happened', instances: 450, matched: 225, complete: true });
  expect(messages(report.runs)).toEqual(Array.from({ length: 225 }, (_, n) => `odd ${2 * n + 1}`));
  expect(await api.store.executions.count()).toBe(0);
  expect(await api.store.ruleEnforcements.count()).toBe(0);
});

it.each([
  ['1s', 0],
  ['2h', 450],
  ['0m', 0],
])('looks back as far as requested: %s', async (since, instances) => {
  expect((await backtest({}, since)).instances).toBe(instances);
});

it('reports what would have failed', async () => {
  const broken = await backtest({ action: { ref: 'core.nothing' } });
  expect(broken.runs[0].failure_reason).toContain('core.nothing');
  const unfit = await backtest({ criteria: { 'trigger.host': { type: 'gt', pattern: 5 } } });
  expect(unfit).toMatchObject({ matched: 0, runs: expect.any(Array) });
  expect(unfit.runs[0].failure_reason).toContain("'>' not supported");
});

it.each<[string, Record<string, unknown>, unknown[]]>([
  ['once_within', { once_within: { seconds: 3600, group_by: '{{ trigger.host }}' } }, ['even 0', 'odd 1']],
  ['throttle', { throttle: { count: 3, seconds: 3600 } }, ['even 0', 'odd 1', 'even 2']],
  ['debounce', { debounce: { seconds: 60 } }, ['odd 449']],
])('counts what a correlation by %s suppresses', async (_, correlation, expected) => {
  const report = await backtest({ correlation });
  expect(messages(report.runs)).toEqual(expected);
  expect(report).toMatchObject({ matched: 450, suppressed: 450 - expected.length });
});

it('shows the accumulated events', async () => {
  const correlation = { accumulate: { count: 200, within_seconds: 600 } };
  const action = { ref: 'core.echo', parameters: { message: '{{ trigger.events | length }} {{ trigger.n }}' } };
  expect(messages((await backtest({ correlation, action })).runs)).toEqual(['200 199', '200 399']);
});

it('limits the number of runs, and reports that', async () => {
  for (let n = 450; n < 600; n++)
    await api.store.triggerInstances.insertOnce({
      _id: n.toString(16).padStart(24, '0'),
      trigger: 'default.happened',
      payload: { n, host: 'late' },
      occurrence_time: start + 200 * SECOND_MICROS,
      status: 'processed',
    });
  const report = await backtest();
  expect(report).toMatchObject({ instances: 600, matched: 600, complete: false });
  expect(report.runs).toHaveLength(500);
});

it('hides secrets', async () => {
  const parameters = { pin: { type: 'string', secret: true } };
  await api.ada.post('actions', { name: 'secret', pack: 'default', runner_type: 'noop', entry_point: '', parameters, enabled: true }).expect(201); // oxfmt-ignore
  const action = { ref: 'default.secret', parameters: { pin: 'x{{ trigger.n }}' } };
  expect((await backtest({ action })).runs[0].parameters).toEqual({ pin: '********' });
});

it('accepts the reference of a stored rule', async () => {
  await api.ada.post('rules', rule({ name: 'stored', enabled: false })).expect(201);
  const { body } = await api.ada.post('rules/backtest', { rule: 'default.stored' }).expect(200);
  expect(body.matched).toBe(600);
  await api.ada.post('rules/backtest', { rule: 'default.absent' }).expect(404);
});

it.each([
  [{}, /rule/],
  [{ rule: rule(), since: 'yesterday' }, /"yesterday" is not a valid time/],
  [{ rule: rule({ criteria: { a: { type: 'no', pattern: 1 } } }) }, /operator no not in list/],
  [{ rule: rule({ correlation: { often: {} } }) }, /correlation/],
])('refuses %j', async (body, text) => {
  expect((await api.ada.post('rules/backtest', body).expect(400)).body.faultstring).toMatch(text);
});
