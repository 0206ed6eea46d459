import { newId } from '@switchyard/base';
import type { Executions, ExecutionRequest } from '@switchyard/executions';
import type { ActionRecord, RunnerTypeRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { by, executionsOn, register } from './executions-fixture';

let platform: TestPlatform;
let executions: Executions;
beforeEach(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  executions = executionsOn(platform);
});
const later = leakCheck();

describe('a request', () => {
  it('is refused when its rendered parameters are nested too deeply', async () => {
    const ref = await register(platform, { parameters: { value: { type: 'array' } } });
    const value = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
    await expect(by(executions, ref, { parameters: { value: value(101) } })).rejects.toMatchObject({
      ...{
        code: 'data.limit',
        message: expect.stringMatching(/value at value\[0\].* 100 levels \(limits\.max_depth\)/),
      },
    });
    await by(executions, ref, { parameters: { value: value(99) } });
  });

  it('stores a record that waits for the scheduler', async () => {
    const ref = await register(platform, { parameters: { n: { type: 'integer', default: 3 } } });
    const record = await by(executions, ref, { parameters: { n: '4' }, context: { source: 'test' } });
    expect(await executions.get(record._id)).toEqual(record);
    expect(record).toMatchObject({
      status: 'requested',
      revision: 1,
      action_ref: ref,
      parameters: { n: 4 },
      context: { source: 'test', user: 'ada', pack: 'tests' },
      pool: 'default',
      priority: 0,
      idempotent: false,
      due: ['scheduler'],
      web_url: `http://web/#/history/${record._id}/general`,
      log: [{ status: 'requested', timestamp: record.start_timestamp }],
    });
    expect(record.schedule_at).toBe(record.start_timestamp);
    expect(record.slot ?? record.claim ?? record.end_timestamp).toBeUndefined();
  });

  it.each<[string, Partial<ExecutionRequest>, object]>([
    ['a delay', { delay: 1500 }, { delay: 1500 }],
    ['a priority', { priority: 7 }, { priority: 7 }],
    ['a pool', { pool: 'gpu' }, { pool: 'gpu' }],
    ['a callback', { callback: { url: 'x' } }, { callback: { url: 'x' } }],
    ['a first result', { result: { so: 'far' } }, { result: '{"so":"far"}' }],
    ['the permission to run twice', { idempotent: true }, { idempotent: true }],
    ['a notification', { notify: { 'on-complete': {} } }, { notify: { 'on-complete': {} } }],
  ])('may carry %s', async (_, request, fields) => {
    const record = await by(executions, await register(platform), request);
    expect(record).toMatchObject(fields);
    expect(record.schedule_at - record.start_timestamp).toBe((request.delay ?? 0) * 1000);
  });

  it.each<[boolean | undefined, boolean | undefined, boolean]>([
    [undefined, undefined, false],
    [true, undefined, true],
    [true, false, false],
    [false, true, true],
  ])('of an action with idempotent %p and the request %p is %p', async (mark, asked, expected) => {
    const ref = await register(platform, mark === undefined ? {} : { idempotent: mark });
    const record = await by(executions, ref, asked === undefined ? {} : { idempotent: asked });
    expect(record.idempotent).toBe(expected);
  });

  it.each<[Partial<ActionRecord>, Partial<ExecutionRequest>, string]>([
    [{ pool: 'gpu' }, {}, 'gpu'],
    [{ pool: 'gpu' }, { pool: 'edge' }, 'edge'],
    [{}, {}, 'default'],
  ])('of an action with %j and the request %j runs in the pool "%s"', async (action, asked, pool) => {
    expect((await by(executions, await register(platform, action), asked)).pool).toBe(pool);
  });

  it("uses the action's own notifications instead of the requested ones", async () => {
    const own = { 'on-failure': { message: 'own' } };
    const record = await by(executions, await register(platform, { notify: own }), { notify: { 'on-success': {} } });
    expect(record.notify).toEqual(own);
  });
});

describe('a refused request', () => {
  const strict = { parameters: { n: { type: 'integer', required: true }, fixed: { default: 1, immutable: true } } };

  it.each<[string, Partial<ActionRecord>, Partial<RunnerTypeRecord>, Partial<ExecutionRequest>, string]>([
    ['an unknown action', {}, {}, { action: 'no.such' }, 'Action "no.such" cannot be found.'],
    ['a disabled action', { enabled: false }, {}, {}, 'is disabled'],
    ['an unknown runner', { runner_type: 'gone' }, {}, {}, 'RunnerType gone is not found'],
    ['a disabled runner', {}, { enabled: false }, {}, 'has been disabled by the administrator'],
    ['a missing parameter', strict, {}, {}, "'n' is a required property"],
    ['a parameter of the wrong type', strict, {}, { parameters: { n: 'x' } }, 'Failed to cast value "x"'],
    ['an unknown parameter', strict, {}, { parameters: { n: 1, more: 1 } }, 'more'],
    ['an immutable parameter', strict, {}, { parameters: { n: 1, fixed: 2 } }, "immutable parameter(s) ['fixed']"],
    ['a missing and an immutable parameter', strict, {}, { parameters: { fixed: 2 } }, "'n' is a required property"],
    [
      'a missing parameter and a template that fails',
      { parameters: { ...strict.parameters, word: { type: 'string' } } },
      {},
      { parameters: { word: '{{ nothing.here }}' } },
      "'n' is a required property",
    ],
    ['a missing and an unknown parameter', strict, {}, { parameters: { more: 1 } }, "('more' was unexpected)"],
    [
      'a wrong and an immutable parameter',
      { parameters: { ...strict.parameters, word: { type: 'string' } } },
      {},
      { parameters: { n: 1, fixed: 2, word: {} } },
      'word',
    ],
    ['a template that fails', strict, {}, { parameters: { n: '{{ nothing.here }}' } }, 'nothing'],
    ['an unknown parent', {}, {}, { context: { parent: { execution_id: newId() } } }, 'parent execution'],
  ])('for %s stores nothing', async (_, action, runner, request, text) => {
    const ref = await register(platform, action, runner);
    await expect(by(executions, ref, request)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(text),
    });
    expect(await platform.store.executions.count()).toBe(0);
    const [type] = await platform.store.runnerTypes.list();
    const found = await platform.store.actions.byKey(ref);
    const { _id } = platform.store.definitions.snapshot(found!, type!);
    expect(await platform.store.definitions.get(_id)).toBeUndefined();
  });
});

describe('a child', () => {
  it("belongs to its parent and to the parent's user", async () => {
    const ref = await register(platform);
    const parent = await by(executions, ref);
    const child = await by(executions, ref, { user: 'bob', context: { parent: { execution_id: parent._id } } });
    expect(child).toMatchObject({ parent: parent._id, context: { user: 'ada' } });
    expect(await executions.view.execution(await executions.get(parent._id))).toMatchObject({ children: [child._id] });
  });

  it('has no parent if the context names none', async () => {
    const ref = await register(platform);
    for (const parent of [null, 'text', {}, { execution_id: 5 }])
      expect((await by(executions, ref, { context: { parent } })).parent).toBeUndefined();
  });
});

describe('a request key', () => {
  it('returns the first record again', async () => {
    const ref = await register(platform, { parameters: { n: {} } });
    const first = await by(executions, ref, { requestKey: 'k', parameters: { n: 1 } });
    const second = await by(executions, ref, { requestKey: 'k', parameters: { n: 2 } });
    expect(second).toEqual(first);
    expect((await by(executions, ref, { requestKey: 'other' }))._id).not.toBe(first._id);
  });

  it('creates one record for many concurrent requests', async () => {
    const ref = await register(platform);
    const records = await Promise.all(Array.from({ length: 20 }, () => by(executions, ref, { requestKey: 'k' })));
    expect(new Set(records.map(({ _id }) => _id)).size).toBe(1);
    expect(await platform.store.executions.count()).toBe(1);
  });

  it('is optional', async () => {
    const ref = await register(platform);
    await Promise.all([by(executions, ref), by(executions, ref)]);
    expect(await platform.store.executions.count()).toBe(2);
  });
});

describe('definitions', () => {
  it('are stored once while they do not change', async () => {
    const ref = await register(platform);
    const [one, two] = await Promise.all([by(executions, ref), by(executions, ref)]);
    expect(one.definition).toBe(two.definition);
    const action = (await platform.store.actions.byKey(ref))!;
    await platform.store.actions.replace({ ...action, description: 'changed' });
    const three = await by(executions, ref);
    expect(three.definition).not.toBe(one.definition);
    expect((await platform.store.definitions.get(one.definition))?.action.description).toBeUndefined();
    expect((await platform.store.definitions.get(three.definition))?.action.description).toBe('changed');
  });

  it('outlive the action', async () => {
    const ref = await register(platform);
    const record = await by(executions, ref);
    await platform.store.actions.remove((await platform.store.actions.byKey(ref))!._id);
    const again = executionsOn((platform = await platform.reopen()));
    expect(await again.view.execution(await again.get(record._id))).toMatchObject({ action: { ref } });
  });
});
