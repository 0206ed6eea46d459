import { parseConfigText } from '../src/read-file';

const valuesOf = (text: string) =>
  parseConfigText(text, 'x.conf').map(({ section, option, value }) => [`${section}.${option}`, value]);

describe('parseConfigText', () => {
  test.each<[string, string, [string, unknown][]]>([
    ['keeps ; and # inside values', '[a]\np = x;y#z ; w', [['a.p', 'x;y#z ; w']]],
    ['keeps = and : inside values', '[a]\nu = amqp://u:p@h//?a=b', [['a.u', 'amqp://u:p@h//?a=b']]],
    ['separates by colon as well', '[a]\nb: c=d', [['a.b', 'c=d']]],
    [
      'drops matching quotes around a value',
      '[a]\nb = "c d"\ne = \'f\'\ng = "h',
      [
        ['a.b', 'c d'],
        ['a.e', 'f'],
        ['a.g', '"h'],
      ],
    ],
    ['keeps JSON unchanged', '[a]\nj = {"k": "v;#"}', [['a.j', '{"k": "v;#"}']]],
    ['does not nest sections with dots', '[a.b]\nc = d', [['a.b.c', 'd']]],
    ['assigns options before the first section to DEFAULT', 'debug = True', [['DEFAULT.debug', 'True']]],
    ['skips comments and blank lines', '# x\n; y\n\n[a] # z\n  # w\nb =', [['a.b', '']]],
    [
      'continues a value on lines that are indented more deeply',
      '[a]\nb = 1,\n  2\n\n  [3]\nc = 4',
      [
        ['a.b', '1,\n2\n[3]'],
        ['a.c', '4'],
      ],
    ],
    [
      'reads evenly indented lines as separate options',
      '[a]\n  b = 1\n  c = 2\n[d]\n e = 3',
      [
        ['a.b', '1'],
        ['a.c', '2'],
        ['d.e', '3'],
      ],
    ],
    ['reads Windows line endings and a byte order mark', '\uFEFF[a]\r\nb = c\r\n', [['a.b', 'c']]],
  ])('%s', (_, text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });

  test('records the line of each option', () => {
    expect(parseConfigText('\n[a]\nb = 1', 'x.conf')[0]).toMatchObject({ origin: 'x.conf line 3', source: 'file' });
  });

  test.each([
    ['[a\nb = 1', 'x.conf, line 1: expected a section such as [name]'],
    ['[a]\nnonsense', 'x.conf, line 2: expected [section] or name = value'],
    ['[a]\n= 1', 'x.conf, line 2: expected [section] or name = value'],
  ])('names the invalid line of %j', (text, message) => {
    expect(() => valuesOf(text)).toThrow(expect.objectContaining({ code: 'config.syntax' }));
    expect(() => valuesOf(text)).toThrow(message);
  });
});
