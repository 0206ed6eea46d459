import { sortedPythonJson, parametersDigest, parametersHash } from '../../src/trigger-record';

it.each([
  [{ b: 1, a: [true, null, 'x'] }, '{"a": [true, null, "x"], "b": 1}'],
  [{ é: 'ž☃', a: {} }, '{"a": {}, "\\u00e9": "\\u017e\\u2603"}'],
  [{ '😀': '\n' }, '{"\\ud83d\\ude00": "\\n"}'],
])('writes %j like Python', (value, text) => {
  expect(sortedPythonJson(value)).toBe(text);
});

it('computes the same digests as the uids of the interface', () => {
  // md5 of '{}' and of '{"url": "a"}'.
  expect(parametersDigest({})).toBe('99914b932bd37a50b983c5e7c90ae93b');
  expect(parametersHash({ a: 1, b: { c: 1, d: 2 } })).toBe(parametersHash({ b: { d: 2, c: 1 }, a: 1 }));
  expect(parametersHash({ a: 1 })).not.toBe(parametersHash({ a: '1' }));
});
