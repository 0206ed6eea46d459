import { structuredText } from '../../src/output/structured';

describe('a document for programs', () => {
  const execution = { status: 'succeeded', result: { result: { missing: null, found: [null, { deep: null }] } } };

  it('keeps the null values of a result', async () => {
    expect(JSON.parse(await structuredText(execution, 'json'))).toEqual(execution);
    expect(await structuredText({ a: null, b: { c: null } }, 'yaml')).toBe('a: null\nb:\n    c: null\n');
  });

  it('has its keys in order, at any depth', async () => {
    expect(await structuredText({ b: 1, a: { d: 2, c: 3 } }, 'yaml')).toBe('a:\n    c: 3\n    d: 2\nb: 1\n');
  });
});
