import { fault } from '@switchyard/base';
import { compileRule, createRuleSet, type RuleRecord } from '@switchyard/model';
import { isTemplate, matchEvent, renderPattern, type DatastoreKey } from '../../src';

const items: Readonly<Record<string, string>> = { kind: 'good', number: '5', 'a.b': 'dotted' };

let read: string[];
beforeEach(() => void (read = []));

function lookup({ scope, name, decrypt }: DatastoreKey): Promise<string | undefined> {
  read.push(`${scope}.${name}${decrypt ? ' plain' : ''}`);
  if (name === 'refused') return Promise.reject(fault('execution.not-found', { id: name }));
  return Promise.resolve(items[name]);
}

const rule = (criteria: RuleRecord['criteria'], type = 'standard') =>
  compileRule({ ref: 'p.r', criteria, type: { ref: type, parameters: {} } } as unknown as RuleRecord, isTemplate);

const asked = (criteria: RuleRecord['criteria'], payload: unknown) =>
  matchEvent(createRuleSet([rule(criteria)]), payload, { now: 0, lookup });

describe('a pattern', () => {
  it.each<[string, unknown]>([
    ['plain', 'plain'],
    ['plain\n', 'plain'],
    ['two\n\n', 'two\n'],
    ['{{ trigger.count }}', 3],
    ['{{trigger.count}}', 3],
    ['{{- trigger.count -}}', 3],
    ['{{ trigger.flag }}', true],
    ['{{ trigger.nothing }}', null],
    ['{{ trigger.list }}', [1, 'a']],
    ['{{ trigger.map }}', { k: [1] }],
    ['{{ trigger.name }}', 'it'],
    ['{{ trigger.digits }}', '12'],
    ['pre-{{ trigger.count }}', 'pre-3'],
    ['{{ trigger.count }}{{ trigger.count }}', 33],
    ['{{ trigger.name }}-{{ trigger.count }}', 'it-3'],
    ['[{{ trigger.name }}]', ['it']],
    ['{{ 1 if trigger.flag else 2 }}', 1],
    ['{{ trigger.count + 1 }}', 4],
    ['{% if trigger.flag %}yes{% endif %}', 'yes'],
    ['{% if trigger.flag %}7{% endif %}', '7'],
    ['{{ trigger.count }}\n', 3],
    ['{{ trigger.list | length }}', 2],
  ])('%j renders to %j', (pattern, value) => {
    const trigger = { count: 3, flag: true, nothing: null, list: [1, 'a'], map: { k: [1] }, name: 'it', digits: '12' };
    expect(renderPattern(pattern, { trigger }, {})).toEqual(value);
  });

  it.each(['{{ trigger.missing }}', '{{ other }}', '{{ broken', '{{ trigger.count | nofilter }}'])(
    '%j fails',
    (pattern) => expect(() => renderPattern(pattern, { trigger: { count: 1 } }, {})).toThrow(),
  );
});

describe('patterns that read the datastore', () => {
  it.each<[string, unknown, boolean]>([
    ['{{ st2kv.system.kind }}', 'good', true],
    ['{{ st2kv.system.kind }}', 'bad', false],
    ['{{ st2kv.system.number }}', '5', true],
    ['{{ st2kv.system.number | int }}', 5, true],
    ["{{ st2kv.system['a.b'] }}", 'dotted', true],
    ['{{ st2kv.system.absent }}', '', true],
    ['{{ st2kv.system.kind }}-{{ trigger.n }}', 'good-1', true],
    ['{{ system.kind }}', 'good', true],
    ['{{ system.kind | upper }}', 'GOOD', true],
  ])('%s against %j', async (pattern, v, matches) => {
    const { matched, failed } = await asked({ 'trigger.v': { type: 'eq', pattern } }, { v, n: 1 });
    expect(failed).toEqual([]);
    expect(matched).toHaveLength(matches ? 1 : 0);
  });

  it('read each item once for all rules, and only items in use', async () => {
    const criteria = { 'trigger.v': { type: 'eq', pattern: '{{ st2kv.system.kind }}' } };
    const never = { 'trigger.no': { type: 'exists', pattern: 1 }, 'trigger.v': { type: 'eq', pattern: '{{ st2kv.system.other }}' } }; // oxfmt-ignore
    const rules = createRuleSet([rule(criteria), rule(never), rule(criteria)]);
    expect((await matchEvent(rules, { v: 'good' }, { now: 0, lookup })).matched).toHaveLength(2);
    expect(read).toEqual(['system.kind']);
  });

  it('prefetch the items that the last events have read, with their current values', async () => {
    const both = { 'trigger.v': { type: 'eq', pattern: '{{ st2kv.system.kind }}' }, 'trigger.w#': { type: 'neq', pattern: '{{ st2kv.system.number }}' } }; // oxfmt-ignore
    const rules = createRuleSet([rule(both)]);
    const values = new Map(Object.entries(items));
    const waiting: string[][] = [[]];
    const slow = async ({ name }: DatastoreKey) => {
      waiting.at(-1)?.push(name);
      await new Promise((resolve) => setImmediate(resolve));
      waiting.push([]);
      return values.get(name);
    };
    const matched = async () => (await matchEvent(rules, { v: 'good' }, { now: 0, lookup: slow })).matched.length;
    expect([await matched(), await matched()]).toEqual([1, 1]);
    waiting.splice(0, waiting.length, []);
    values.set('kind', 'bad');
    expect(await matched()).toBe(0);
    expect(waiting[0]).toEqual(['kind', 'number']);
  });

  it('shared by several rules are rendered again for each event', async () => {
    const one = { 'trigger.v': { type: 'eq', pattern: '{{ trigger.w }}' } };
    const rules = createRuleSet([rule(one), rule(one), rule(one)]);
    const answers = [];
    for (const w of [1, 2, 1, 'x']) answers.push((await matchEvent(rules, { v: 1, w }, { now: 0 })).matched.length);
    expect(answers).toEqual([3, 0, 3, 0]);
  });

  it('fail only their own rule when the item may not be read', async () => {
    const refused = rule({ 'trigger.v': { type: 'eq', pattern: '{{ st2kv.system.refused }}' } });
    const rules = createRuleSet([refused, rule({})]);
    const { matched, failed } = await matchEvent(rules, { v: 1 }, { now: 0, lookup });
    expect(matched).toHaveLength(1);
    expect(failed).toEqual([{ rule: refused, reason: expect.stringContaining('refused') }]);
  });

  it('read items for the elements of a search', async () => {
    const pattern = { 'item.k': { type: 'eq', pattern: '{{ st2kv.system.kind }}' } };
    const criteria = { 'trigger.list': { type: 'search', condition: 'any', pattern } };
    expect((await asked(criteria, { list: [{ k: 'bad' }, { k: 'good' }] })).matched).toHaveLength(1);
  });
});

describe('an event', () => {
  it('tries backstops when nothing else matches', async () => {
    const rules = createRuleSet([rule({}, 'backstop'), rule({ 'trigger.v': { type: 'eq', pattern: 1 } })]);
    expect(await matchEvent(rules, { v: 1 }, { now: 0 })).toMatchObject({ asked: 1, matched: [{ backstop: false }] });
    expect(await matchEvent(rules, { v: 2 }, { now: 0 })).toMatchObject({ asked: 2, matched: [{ backstop: true }] });
  });

  it('measures the age of dates from the time of the event', async () => {
    const criteria = { 'trigger.at': { type: 'td_gt', pattern: 60 } };
    const rules = createRuleSet([rule(criteria)]);
    const at = (seconds: number) => matchEvent(rules, { at: '1970-01-01T00:00:00Z' }, { now: seconds * 1e6 });
    expect((await at(30)).matched).toHaveLength(0);
    expect((await at(90)).matched).toHaveLength(1);
  });
});

describe('the patterns of one rule', () => {
  const slow = Array.from({ length: 50 }, (_, n) => {
    const pattern = `{% for i in range(2000) %}{% endfor %}x${n}`;
    return [`trigger.k${n}`, { type: 'equals', pattern }] as const;
  });
  const payload = Object.fromEntries(slow.map((_, n) => [`k${n}`, `x${n}`]));
  const match = (steps: number) => {
    const fast = rule({ 'trigger.k1': { type: 'equals', pattern: '{{ trigger.k1 }}' } });
    const rules = createRuleSet([rule(Object.fromEntries(slow)), fast]);
    return matchEvent(rules, payload, { now: 0, allowance: { steps, durationMs: 60_000 } });
  };

  it('share one limit of steps; beyond it only that rule fails', async () => {
    const { matched, failed } = await match(20_000);
    expect([matched.length, failed.length]).toEqual([1, 1]);
    expect(failed[0]?.reason).toContain('together exceed their limit of 20000 steps');
    expect((await match(5_000_000)).matched).toHaveLength(2);
  });
});
