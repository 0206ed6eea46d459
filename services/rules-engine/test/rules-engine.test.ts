import type { RuleRecord } from '@switchyard/model';
import { createSealer, newKeyRing } from '@switchyard/storage';
import { eventually, leakCheck } from '@switchyard/testkit/system';
import { engineFixture, TRIGGER, type EngineFixture } from './support/engine-fixture';

const later = leakCheck();

async function started(options: Parameters<typeof engineFixture>[0] = {}): Promise<EngineFixture> {
  const fixture = await engineFixture(options);
  later(() => fixture.close());
  return fixture;
}

const action = (parameters: Record<string, unknown>, ref = 'tests.action'): RuleRecord['action'] => ({
  ref,
  parameters,
});

describe('an instance', () => {
  it('runs the action of each rule that matches, with parameters from the payload', async () => {
    const on = await started();
    const parameters = { text: 'got {{ trigger.name }}', number: '{{ trigger.count }}', list: ['{{ trigger.name }}'] };
    const rule = await on.rule({
      action: action(parameters),
      criteria: { 'trigger.count': { type: 'gt', pattern: 2 } },
    });
    await on.rule({ criteria: { 'trigger.count': { type: 'lt', pattern: 2 } } });
    await on.rule({ enabled: false });
    const instance = await on.happens({ name: 'it', count: 3 });
    expect(instance).toMatchObject({ status: 'processed', outcome: { matched: [rule.ref], rules: 2 } });
    const [execution, ...others] = await on.executions();
    expect(others).toEqual([]);
    expect(execution).toMatchObject({
      parameters: { text: 'got it', number: 3, list: ['it'] },
      status: 'requested',
      request_key: `${instance._id}:${rule._id}`,
      context: {
        user: 'stanley',
        pack: 'tests',
        trigger_instance: { id: instance._id, name: null },
        rule: { id: rule._id, name: rule.name },
        trace_context: { trace_tag: `trigger_instance-${instance._id}` },
      },
      trigger: { ref: TRIGGER, type: TRIGGER },
      trigger_type: { ref: TRIGGER, name: 'happened' },
      trigger_instance: { id: instance._id, payload: { name: 'it', count: 3 }, status: 'processing' },
      rule: { ref: rule.ref, name: rule.name },
    });
    expect(await on.enforcements()).toEqual([
      expect.objectContaining({
        trigger_instance_id: instance._id,
        execution_id: execution?._id,
        status: 'succeeded',
        rule: { ref: rule.ref, id: rule._id, uid: rule.uid },
      }),
    ]);
  });

  it('keeps the payload separate from a parameter called trigger', async () => {
    const on = await started();
    await on.system.register({ name: 'inject', parameters: { trigger: { type: 'string' }, text: { type: 'string' } } });
    const parameters = { trigger: 'tests.{{ trigger.a }}', text: '{{ trigger.a }}' };
    await on.rule({ action: action(parameters, 'tests.inject') });
    await on.happens({ a: 'b' });
    expect((await on.executions())[0]).toMatchObject({ parameters: { trigger: 'tests.b', text: 'b' } });
  });

  it('evaluates backstops only when no other rule matches', async () => {
    const on = await started();
    const backstop = await on.rule({ type: { ref: 'backstop', parameters: {} } });
    const standard = await on.rule({ criteria: { 'trigger.a': { type: 'eq', pattern: 1 } } });
    expect((await on.happens({ a: 1 })).outcome).toEqual({ matched: [standard.ref], rules: 1 });
    expect((await on.happens({ a: 2 })).outcome).toEqual({ matched: [backstop.ref], rules: 2 });
  });

  it.each<[string, Partial<RuleRecord>, RegExp]>([
    ['an operator that does not apply', { criteria: { 'trigger.a': { type: 'gt', pattern: 'x' } } }, /^Failed to match rule "tests\.\w+" against trigger instance "\w+": There might be a problem with the criteria in rule tests\.\w+: '>' not supported/], // oxfmt-ignore
    ['an unknown operator', { criteria: { 'trigger.a': { type: 'same', pattern: 1 } } }, /There might be a problem with the criteria in rule .*There is no criteria operator "same"/], // oxfmt-ignore
    ['a pattern that cannot be rendered', { criteria: { 'trigger.a': { type: 'eq', pattern: '{{ trigger.no }}' } } }, /: Failed to render pattern value "{{ trigger.no }}" for key "trigger.a": .*no/], // oxfmt-ignore
    ['a key that is not a path', { criteria: { 'trigger[': { type: 'eq', pattern: 1 } } }, /: Failed transforming criteria key trigger\[: /], // oxfmt-ignore
    ['a pattern that is too large for an expression', { criteria: { 'trigger.a': { type: 'regex', pattern: 'a'.repeat(100_000) } } }, /too large/], // oxfmt-ignore
    ['a pattern that is too deep for the stack', { criteria: { 'trigger.a': { type: 'iregex', pattern: '[a-z]'.repeat(20_000) } } }, /There might be a problem with the criteria/], // oxfmt-ignore
    ['an unknown action', { action: action({}, 'tests.nothing') }, /^Action "tests.nothing" doesn't exist$/],
    ['a value that cannot be cast', { action: action({ number: 'soon' }) }, /soon/],
    ['a parameter that the action does not have', { action: action({ other: 1 }) }, /other/],
    ['an invalid correlation', { correlation: { sometimes: {} } }, /Invalid correlation of a rule/],
    ['a group that cannot be rendered', { correlation: { once_within: { seconds: 5, group_by: '{{ trigger.no }}' } } }, /^Failed to group trigger instance/], // oxfmt-ignore
  ])('records %s, and continues with the other rules', async (_, broken, reason) => {
    const on = await started();
    const rule = await on.rule(broken);
    const other = await on.rule();
    const instance = await on.happens({ a: 1 });
    expect(instance).toMatchObject({ status: 'processed', outcome: { rules: 2 } });
    const [enforcement] = await on.enforcements(rule);
    expect(enforcement).toMatchObject({ status: 'failed', failure_reason: expect.stringMatching(reason) });
    expect(enforcement).not.toHaveProperty('execution_id');
    expect(await on.enforcements(other)).toHaveLength(1);
    expect(await on.executions()).toHaveLength(1);
  });

  it('creates a failed execution when parameters cannot be rendered, and links it', async () => {
    const on = await started();
    const rule = await on.rule({ action: action({ text: '{{ trigger.no }}' }) });
    await on.happens({ a: 1 });
    const [enforcement] = await on.enforcements(rule);
    expect(enforcement).toMatchObject({
      status: 'failed',
      failure_reason: expect.stringContaining('parameter "text"'),
    });
    const [execution] = await on.executions();
    expect(execution).toMatchObject({
      _id: enforcement?.execution_id,
      status: 'failed',
      parameters: { text: '{{ trigger.no }}' },
      log: [{ status: 'requested' }, { status: 'failed' }],
    });
    expect(execution).not.toHaveProperty('due');
    const result = await on.system.executions.results.load(execution!, false);
    expect(result).toMatchObject({ error: enforcement?.failure_reason });
  });

  it('does not act on parameters that cannot be decrypted, and reports why', async () => {
    const on = await started();
    // A plain text already counts as sealed.
    const parameters = createSealer(newKeyRing()).seal('{"text":"sesame"}') as never;
    const lost = await on.rule({ action: action(parameters) });
    const other = await on.rule({ action: action({ text: 'sesame' }) });
    const { status } = await on.happens();
    expect(status).toBe('processed');
    expect(await on.enforcements(lost)).toMatchObject([
      { status: 'failed', failure_reason: expect.stringContaining('is not in the key file') as string },
    ]);
    expect(await on.enforcements(other)).toMatchObject([{ status: 'succeeded' }]);
    expect((await on.executions()).map(({ parameters: given }) => given)).toEqual([{ text: 'sesame' }]);
  });

  it('reports texts that were passed on although they look like templates', async () => {
    const on = await started();
    const rule = await on.rule({ action: action({ text: '{{ trigger.a. }}' }) });
    const { outcome } = await on.happens({ a: 1 });
    expect(outcome?.warnings).toEqual([expect.stringContaining(`The parameter "text" of rule "${rule.ref}"`)]);
    expect((await on.executions())[0]?.parameters).toEqual({ text: '{{ trigger.a. }}' });
  });

  it.each(['{{ a sesame }}', '{% sesame %}', 'open{{sesame'])(
    'does not quote %s, which may be a secret',
    async (text) => {
      const on = await started();
      await on.rule({ action: action({ text }) });
      const { outcome } = await on.happens({ a: 1 });
      expect(outcome?.warnings).toEqual([expect.stringContaining('because it is not a valid template: ')]);
      expect(JSON.stringify(outcome)).not.toContain('sesame');
    },
  );

  it('reads the datastore in patterns', async () => {
    const items = new Map([['kind', 'good']]);
    const lookupFor = () => (key: { name: string }) => Promise.resolve(items.get(key.name));
    const on = await started({ lookupFor });
    const rule = await on.rule({ criteria: { 'trigger.a': { type: 'eq', pattern: '{{ st2kv.system.kind }}' } } });
    expect((await on.happens({ a: 'good' })).outcome?.matched).toEqual([rule.ref]);
    items.set('kind', 'other');
    expect((await on.happens({ a: 'good' })).outcome?.matched).toEqual([]);
  });

  it('hides secrets everywhere except in the run itself', async () => {
    const on = await started();
    await on.system.register({ name: 'secret', parameters: { pin: { type: 'string', secret: true } } });
    await on.rule({ action: action({ pin: 'top-{{ trigger.a }}' }, 'tests.secret') });
    await on.happens({ a: 'hidden' });
    const [execution] = await on.executions();
    expect(JSON.stringify(execution)).not.toMatch(/top-/);
    expect(on.system.executions.secrets.openParameters(execution!)).toEqual({ pin: 'top-hidden' });
  });

  it('of an unknown trigger is kept, with the reason', async () => {
    const on = await started();
    const instance = await on.happens({ a: 1 }, { trigger: 'tests.unknown' });
    expect(instance).toMatchObject({
      status: 'processing_failed',
      outcome: { reason: 'There is no trigger "tests.unknown".' },
    });
  });

  it('is matched against every rule stored before it occurred, and no removed rule', async () => {
    const on = await started({ engines: 2 });
    for (let round = 0; round < 20; round++) {
      const rule = await on.rule();
      expect((await on.happens()).outcome?.matched).toEqual([rule.ref]);
      await on.store.rules.remove(rule._id);
      expect((await on.happens()).outcome?.matched).toEqual([]);
    }
  });

  it('is measured', async () => {
    const on = await started();
    const rule = await on.rule();
    await on.happens();
    // The time is recorded after the instance is stored, so a reader of the store may be earlier.
    const page = await eventually(
      async () => {
        const now = await on.system.platform.metrics.page.text();
        return now.includes('svc_rule_processed_seconds_count 1') && now;
      },
      () => 'the time that the instance took to be measured',
    );
    expect(page).toContain(`svc_rule_matched_total{rule="${rule.ref}"} 1`);
  });
});
