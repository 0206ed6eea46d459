import { lookUp } from '../../src';

const trigger = {
  a: { b: [{ c: 1 }, { c: 2 }], 'x-y': 'dash', 'with space': true, empty: null },
  headers: { 'X-Custom': 'yes' },
  list: [1, 2, 3],
  text: 'héé',
};

describe('lookUp', () => {
  it.each<[key: string, value: unknown]>([
    ['trigger', trigger],
    ['$.trigger.a.b[1].c', 2],
    ['trigger.a.b[*].c', 1],
    ['trigger.a.b[-1].c', 2],
    ['trigger.a.empty', null],
    ['trigger.a.x-y', 'dash'],
    ["trigger.a['with space']", true],
    ['trigger.a."with space"', true],
    ["trigger.headers['X-Custom']", 'yes'],
    ["trigger['headers'].*", 'yes'],
    ['trigger.list#min', [1, 2, 3]],
    ['trigger.list[1:]', 2],
    ['trigger.list[-2:-1]', 2],
    ['trigger.text[1]', 'é'],
    ['trigger..c', 1],
    ['trigger.missing,list', [1, 2, 3]],
  ])('finds %s', (key, value) => expect(lookUp({ trigger }, key)).toEqual({ found: true, value }));

  it.each(['trigger.nope', 'trigger.list[9]', 'trigger.list.length', 'trigger.a.b.c', 'item.a', 'trigger.__proto__'])(
    'does not find %s',
    (key) => expect(lookUp({ trigger }, key)).toEqual({ found: false }),
  );

  it.each(['', '#x', 'trigger.', 'trigger[', 'trigger a', 'trigger.a[b', '..', 'trigger.{{ a }}'])(
    'rejects %j',
    (key) => expect(() => lookUp({ trigger }, key)).toThrow(/path/),
  );

  it('gives up on a path with too many matches', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 300; level += 1) deep = [deep, deep];
    expect(() => lookUp({ trigger: deep }, 'trigger..a..b..c')).toThrow(/too many places/);
  });
});
