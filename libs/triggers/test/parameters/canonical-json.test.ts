import { canonicalJson, parametersDigest, parametersHash } from '../../src/parameters/canonical-json';

it.each([
  [{ b: 1, a: [true, null, 'x'] }, '{"a": [true, null, "x"], "b": 1}'],
  [{ é: 'ž☃', a: {} }, '{"a": {}, "\\u00e9": "\\u017e\\u2603"}'],
  [{ '😀': '\n' }, '{"\\ud83d\\ude00": "\\n"}'],
])('writes %j as Python does', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

it('digests as the uids of the interface do', () => {
  // md5 of '{}' and of '{"url": "a"}'.
  expect(parametersDigest({})).toBe('99914b932bd37a50b983c5e7c90ae93b');
  expect(parametersHash({ a: 1, b: { c: 1, d: 2 } })).toBe(parametersHash({ b: { d: 2, c: 1 }, a: 1 }));
  expect(parametersHash({ a: 1 })).not.toBe(parametersHash({ a: '1' }));
});
