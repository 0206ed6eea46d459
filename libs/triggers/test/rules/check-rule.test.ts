import { checkRule } from '@switchyard/triggers';

const rule = (more: Record<string, unknown> = {}) => ({
  name: 'r',
  trigger: { type: 'core.st2.webhook', parameters: { url: 'a' } },
  action: { ref: 'core.noop' },
  ...more,
});

it('fills in defaults', () => {
  expect(checkRule(rule())).toEqual({
    name: 'r',
    pack: 'default',
    enabled: false,
    type: { ref: 'standard', parameters: {} },
    trigger: { type: 'core.st2.webhook', parameters: { url: 'a' } },
    criteria: {},
    action: { ref: 'core.noop', parameters: {} },
    context: {},
    tags: [],
    metadata_file: '',
  });
});

it('fills in the missing part of a tag', () => {
  expect(checkRule(rule({ tags: [{ name: 'a', value: null }, { value: 'b' }] })).tags).toEqual([
    { name: 'a', value: '' },
    { name: '', value: 'b' },
  ]);
});

it('ignores computed fields and nulls', () => {
  const given = rule({
    id: 'x',
    ref: 'a.b',
    uid: 'rule:a:b',
    description: null,
    tags: null,
    context: null,
    type: null,
  });
  expect(checkRule(given)).toEqual(checkRule(rule()));
});

it.each([
  { throttle: { count: 3, seconds: 60, group_by: '{{ trigger.host }}' } },
  { debounce: { seconds: 5 } },
  { once_within: { seconds: 0.5 } },
  { accumulate: { count: 5, within_seconds: 60 } },
])('keeps the correlation %j', (correlation) => {
  expect(checkRule(rule({ correlation })).correlation).toEqual(correlation);
});

it.each([
  [[], "[] is not of type 'object'"],
  [{ name: 'r' }, "'trigger' is a required property"],
  [rule({ name: '' }), 'Both pack and name needed for building ref. pack=default, name='],
  [rule({ pack: 'a.b' }), 'Pack name should not contain "."'],
  [rule({ nope: 1 }), "Additional properties are not allowed ('nope' was unexpected)"],
  [rule({ trigger: { parameters: {} } }), "'type' is a required property"],
  [rule({ trigger: { type: 'a.b', parameters: 5 } }), "5 is not of type 'object'"],
  [rule({ action: {} }), "'ref' is a required property"],
  [rule({ action: { ref: 'core.noop', when: 1 } }), "'when' was unexpected"],
  [rule({ type: { ref: 'nope' } }), "There is no rule type \"nope\"; the rule types are ['standard', 'backstop']"],
  [rule({ criteria: [] }), "[] is not of type 'object'"],
  [rule({ criteria: { 'trigger.a': 'x' } }), 'For field: trigger.a, expected an object'],
  [rule({ criteria: { 'trigger.a': { type: 'nope', pattern: 1 } } }), 'operator nope not in list'],
  [rule({ criteria: { 'trigger.a': { type: 'eq' } } }), 'no pattern specified for operator eq'],
  [rule({ criteria: { 'trigger.a': { type: 'regex', pattern: 'a'.repeat(8193) } } }), '(limits.max_pattern_length)'],
  [
    rule({
      criteria: { 'trigger.a': { type: 'search', pattern: { 'item.b': { type: 'eq', pattern: 'a'.repeat(8193) } } } },
    }),
    'The pattern of "item.b" has 8193 characters; at most 8192 are allowed',
  ],
  [rule({ tags: [{ name: 'a', value: 1 }] }), "1 is not of type 'string'"],
  [rule({ correlation: 'x' }), "'x' is not of type 'object'"],
  [rule({ correlation: { thin: {} } }), 'expected one of throttle, once_within, debounce, accumulate'],
  [rule({ correlation: { throttle: { count: 0, seconds: 1 } } }), 'count has to be a whole number'],
  [rule({ correlation: { debounce: { seconds: 'x' } } }), 'seconds has to be a number'],
  [rule({ correlation: { debounce: { seconds: 1, group_by: 5 } } }), 'group_by has to be a text'],
])('refuses %j', (given, text) => {
  expect(() => checkRule(given)).toThrow(text);
});

it('applies the configured limit to pattern lengths', () => {
  const given = rule({ criteria: { 'trigger.a': { type: 'eq', pattern: 'long' } } });
  expect(() => checkRule(given, 3)).toThrow('at most 3 are allowed');
  expect(() => checkRule(given, 4)).not.toThrow();
});
