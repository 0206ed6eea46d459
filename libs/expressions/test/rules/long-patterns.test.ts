import { compileRule, createRuleSet, type RuleRecord } from '@switchyard/model';
import { longestHoldUp, MOST_HELD_UP, SLOW_TEMPLATE, SLOW_TEMPLATE_VALUE } from '@switchyard/testkit/hold-up';
import { isTemplate, matchEvent, type DatastoreKey } from '../../src';

const rule = (ref: string, criteria: RuleRecord['criteria']) =>
  compileRule({ ref, criteria, type: { ref: 'standard', parameters: {} } } as unknown as RuleRecord, isTemplate);

const is = (pattern: string) => ({ type: 'equals', pattern });
const text = `value ${SLOW_TEMPLATE_VALUE}`;

describe('a long pattern', () => {
  test('does not block other work, and matches like any other', async () => {
    const slow = is(`value ${SLOW_TEMPLATE}`);
    const rules = createRuleSet([
      rule('p.first', { 'trigger.name': is('{{ trigger.same }}'), 'trigger.text': slow }),
      rule('p.second', { 'trigger.text': slow, 'trigger.name': is('{{ trigger.same }}') }),
      rule('p.other', { 'trigger.text': is(`value ${SLOW_TEMPLATE}x`) }),
    ]);
    const payload = { text, name: 'it', same: 'it' };
    const { result, share } = await longestHoldUp(() => matchEvent(rules, payload, { now: 0 }));
    expect(result.matched.map(({ record }) => record.ref)).toEqual(['p.first', 'p.second']);
    expect(result.failed).toEqual([]);
    expect(share).toBeLessThan(MOST_HELD_UP);
  });

  test.each([
    ['st2kv.system.kind', ['kind']],
    ['system.kind', ['kind']],
  ])('reads the datastore by %s', async (name, expected) => {
    const read: string[] = [];
    const lookup = (key: DatastoreKey) => Promise.resolve(void read.push(key.name)).then(() => 'good');
    const rules = createRuleSet([rule('p.r', { 'trigger.text': is(`value ${SLOW_TEMPLATE}{{ ${name} }}`) })]);
    const match = await matchEvent(rules, { text: `${text}good` }, { now: 0, lookup });
    expect([match.matched.length, match.failed, read]).toEqual([1, [], expected]);
  });

  test('in a search is rendered for each element', async () => {
    const criteria = {
      'trigger.list': {
        type: 'search',
        condition: 'any',
        pattern: { 'item.text': is(`value ${SLOW_TEMPLATE}{{ item.end }}`) },
      },
    };
    const rules = createRuleSet([rule('p.r', criteria)]);
    const list = [
      { text, end: 'a' },
      { text: `${text}b`, end: 'b' },
    ];
    expect((await matchEvent(rules, { list }, { now: 0 })).matched).toHaveLength(1);
  });

  test('fails only its own rule when it takes too long', async () => {
    const rules = createRuleSet([
      rule('p.long', { 'trigger.text': is(`value ${SLOW_TEMPLATE}`) }),
      rule('p.short', { 'trigger.name': is('it') }),
    ]);
    const allowance = { steps: 5_000_000, durationMs: 10 };
    const { matched, failed } = await matchEvent(rules, { text, name: 'it' }, { now: 0, allowance });
    expect(matched.map(({ record }) => record.ref)).toEqual(['p.short']);
    expect(failed.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('together exceed their limit of 10 ms'),
    ]);
  });
});
