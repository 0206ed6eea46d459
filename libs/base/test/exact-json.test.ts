import { defaultDataLimits, parseExactJson, quoteInexactNumbers } from '@switchyard/base';

const exact = (json: string) => parseExactJson(json, defaultDataLimits);

describe('parseExactJson', () => {
  it.each<[json: string, value: unknown]>([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['[-1234567890123456789]', ['-1234567890123456789']],
    ['{"a":1e400,"b":1e22,"c":0.12345678901234567890}', { a: '1e400', b: 1e22, c: 0.12345678901234568 }],
    [
      '{"12345678901234567890":"12345678901234567890 \\" 1e400"}',
      { '12345678901234567890': '12345678901234567890 " 1e400' },
    ],
  ])('reads %s', async (json, value) => {
    expect(await exact(json)).toEqual(value);
    expect(JSON.parse(quoteInexactNumbers(json))).toEqual(value);
  });

  it('finds the numbers of a large text, wherever a slice ends', async () => {
    for (let shift = 0; shift < 24; shift++) {
      const items = `${' '.repeat(shift)}${Array.from({ length: 30_000 }, () => '1234567890123456789').join(',')}`;
      const value = (await exact(`[${items}]`)) as unknown[];
      expect(new Set(value)).toEqual(new Set(['1234567890123456789']));
      expect(value).toHaveLength(30_000);
    }
  });

  it.each(['{"a":12345678901234567890', '[1e400,]', '01234567890123456789'])('rejects %s', async (json) => {
    await expect(exact(json)).rejects.toThrow(SyntaxError);
  });
});
