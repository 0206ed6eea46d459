import { MASK, SecretTexts } from '@switchyard/model';

describe('secret texts', () => {
  it.each([
    ['a text', 'hunter2', MASK],
    ['a part of a text', "invalid literal: 'hunter2'", `invalid literal: '${MASK}'`],
    ['a key', { hunter2: 1 }, { [MASK]: 1 }],
    ['lists and objects at any depth', [{ a: ['hunter2'] }], [{ a: [MASK] }]],
    ['a long number', { pin: 123456 }, { pin: MASK }],
    ['a text printed as JSON', 'no "a\\"b\\\\c" here', `no "${MASK}" here`],
    ['a short secret that is the whole text', ['ab', 'fab'], [MASK, 'fab']],
    ['no short number', { return_code: 7 }, { return_code: 7 }],
    ['the longer of two secrets', 'hunter2-and-more', MASK],
    ['nothing else', { a: null, b: true, c: 'hunter' }, { a: null, b: true, c: 'hunter' }],
  ])('masks %s', (_, value, masked) => {
    const secrets = SecretTexts.of(['hunter2', { more: 'hunter2-and-more' }, 123456, 7, 'a"b\\c', 'ab']);
    expect(secrets.mask(value)).toEqual(masked);
  });
});
