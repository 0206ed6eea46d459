import { asOf, atLogEntry, executionView, fieldsOfAttributes, liveactionView } from '@switchyard/executions';
import type { ExecutionRecord, Status } from '@switchyard/model';
import { attributeNames, executionAnswer } from '@switchyard/model/resources';
import { anExecution } from '@switchyard/testkit/platform';

const at = (...statuses: Status[]) => statuses.map((status, i) => ({ status, timestamp: 1_000_000 * (i + 1) }));

const ended: ExecutionRecord = anExecution({
  status: 'succeeded',
  revision: 4,
  start_timestamp: 1_000_000,
  end_timestamp: 3_500_000,
  result: '{"ok":true}',
  result_size: 11,
  log: at('requested', 'scheduled', 'running', 'succeeded'),
});

describe('a record as of an earlier status', () => {
  it.each<[Status, number, Status[]]>([
    ['requested', 1, ['requested']],
    ['scheduled', 2, ['requested', 'scheduled']],
    ['running', 3, ['requested', 'scheduled', 'running']],
  ])('%s has its log up to then and no end', (status, revision, log) => {
    const then = asOf(ended, status, revision);
    expect(then.status).toBe(status);
    expect(then.log.map((entry) => entry.status)).toEqual(log);
    expect(then).not.toHaveProperty('end_timestamp');
    expect(then).not.toHaveProperty('result');
  });

  it('is unchanged at its own revision', () => expect(asOf(ended, 'succeeded', 4)).toBe(ended));

  it('keeps the end if the status is final', () => {
    expect(asOf({ ...ended, revision: 5 }, 'succeeded', 4)).toMatchObject({
      status: 'succeeded',
      result: '{"ok":true}',
    });
  });

  it('distinguishes the first run from the second', () => {
    const twice = {
      ...ended,
      revision: 7,
      log: at('requested', 'scheduled', 'running', 'requested', 'scheduled', 'running', 'succeeded'),
    };
    expect(asOf(twice, 'running', 3).log).toHaveLength(3);
    expect(asOf(twice, 'running', 6).log).toHaveLength(6);
  });
});

describe('a record as of an entry of its log', () => {
  it.each([
    [0, 'requested', []],
    [2, 'running', []],
    [3, 'succeeded', ['end_timestamp', 'result', 'result_size']],
  ])('at %i has the status %s', (index, status, end) => {
    const then = atLogEntry(ended, index);
    expect(then).toMatchObject({ status, log: ended.log.slice(0, index + 1) });
    expect(
      Object.keys(then)
        .filter((name) => /^(end_|result)/.test(name))
        .sort(),
    ).toEqual(end);
  });

  it('has children once a workflow has started to request them', () => {
    const workflow = { ...ended, has_children: true, log: at('requested', 'running', 'pausing', 'paused') };
    expect(workflow.log.map((_, index) => atLogEntry(workflow, index).has_children)).toEqual([
      undefined,
      undefined,
      true,
      true,
    ]);
  });
});

describe('the view of an execution', () => {
  it('omits empty attributes and computes the elapsed time', () => {
    const view = executionView(ended, { parameters: {}, result: { ok: true } });
    expect(view).toMatchObject({
      id: ended._id,
      status: 'succeeded',
      start_timestamp: '1970-01-01T00:00:01.000000Z',
      end_timestamp: '1970-01-01T00:00:03.500000Z',
      elapsed_seconds: 2.5,
      result: { ok: true },
      liveaction: { id: ended.liveaction_id, action: 'tests.action' },
      web_url: ended.web_url,
    });
    for (const absent of ['parameters', 'delay', 'parent', 'children']) expect(view).not.toHaveProperty(absent);
    expect(view['log']).toHaveLength(4);
  });

  it('shows no internal fields', () => {
    const inside = {
      claim: { number: 1, instance: 'i', host: 'h', pid: 1 },
      due: ['notifier' as const],
      request_key: 'k',
      sealed_parameters: 's',
    };
    const text = JSON.stringify([
      executionView({ ...ended, ...inside }, { parameters: {} }),
      liveactionView({ ...ended, ...inside }, { parameters: {} }),
    ]);
    for (const name of [...Object.keys(inside), 'revision', 'schedule_at', 'slot'])
      expect(text).not.toContain(`"${name}"`);
  });

  it.each(attributeNames(executionAnswer))('of %s alone needs only the listed fields', (name) => {
    const wants = (attribute: string) => attribute === name;
    const fields: readonly string[] = fieldsOfAttributes(wants);
    const bare = Object.fromEntries(
      Object.entries(ended).filter(([field]) => fields.includes(field)),
    ) as unknown as ExecutionRecord;
    const parts = { parameters: {}, result: { ok: true } };
    expect(executionView(bare, parts, wants)).toEqual(executionView(ended, parts, wants));
  });
});

it('a live action always has parameters, result, callback and runner_info', () => {
  expect(liveactionView(anExecution(), { parameters: {} })).toMatchObject({
    parameters: {},
    result: {},
    callback: {},
    runner_info: {},
    status: 'requested',
  });
});
