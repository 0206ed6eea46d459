import { isFault } from '@switchyard/base';
import { checkCriteria, compileCriteria, CRITERIA_OPERATORS } from '@switchyard/model';
import { seedsOf } from '../corpus';
import type { FuzzTarget } from '../fuzz-target';

const line = (key: string, entry: unknown, value: unknown): string =>
  [key, JSON.stringify(entry), JSON.stringify(value)].join('\n');

/** Three lines: the key, the criteria entry and the value. Invalid JSON counts as a string. */
export const criteriaTarget: FuzzTarget = {
  name: 'criteria',
  seeds: seedsOf(
    'criteria.jsonl',
    ({ operator, value, pattern }) => line('trigger.v', { type: operator, pattern }, value),
    [
      ...CRITERIA_OPERATORS.map((type) => line('trigger.v#x', { type, pattern: 'a.*[b-d]', condition: 'any' }, 'abc')),
      line(
        'trigger.v',
        { type: 'search', condition: 'any2any', pattern: { 'item.a[0]': { type: 'lt', pattern: 5 } } },
        [{ a: [1] }],
      ),
      line("trigger.v['x']..y[1:2].*", { type: 'timediff_lt', pattern: '1e3' }, '2026-11-20T10:00:00Z'),
      line('trigger.v', { type: 'td_gt', pattern: 5 }, 'Fri, 20 Nov 2026 11:00:00 +0100'),
    ],
  ),
  tokens: ['trigger', '.', '..', '[*]', '[0]', "['x']", '#', ',', '"type":"regex"', '"type":"search"', '"condition":"all"', '"pattern":{', '(a|b)*', '.*', '[!x]', '*', '?', 'null', 'true', '1', '\n', '"', '{', '}', '[', ']'], // oxfmt-ignore
  run: (input) => {
    const [key = '', entry = '', ...value] = input.split('\n');
    const criteria = { [key]: read(entry) };
    try {
      checkCriteria(criteria);
    } catch (thrown) {
      if (!isFault(thrown)) throw thrown;
    }
    return compileCriteria(criteria)({ v: read(value.join('\n')) }, { now: 1e15, problem: () => undefined });
  },
  isRefusal: isFault,
};

function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return { type: CRITERIA_OPERATORS[text.length % CRITERIA_OPERATORS.length], pattern: text };
  }
}
