import { configYaml } from '../../src/configs/config-file';
import { readYaml } from '../../src';

describe('configYaml', () => {
  it('is human-readable', async () => {
    expect(await configYaml({ region: 'north', ports: [80, 443], mirror: { host: 'far' } })).toBe(
      'region: north\nports:\n  - 80\n  - 443\nmirror:\n  host: far\n',
    );
  });

  const texts = [
    '',
    ' ',
    'yes',
    'No',
    'on',
    'null',
    '~',
    '12',
    '0x1f',
    '010',
    '1_000',
    '12:30',
    '1.5',
    '.5',
    '1e3',
    '1.5e+3',
    '.inf',
    '.nan',
    '2020-01-01',
    '=',
    '{{ st2kv.system.region }}',
    '{% if a %}b{% endif %}',
    '# no comment',
    'a: b',
    'a #b',
    '- a',
    '&a',
    '*a',
    '!a',
    '@a',
    '`a',
    '%a',
    '"quoted"',
    "it's",
    'two\nlines',
    'ends with a line\n',
    '  indented\n text',
    'tab\there',
    'crlf\r\n',
    'å ß 漢 🎉',
    '\u0000\u0007\u0085\u2028',
    'C:\\path',
    'x'.repeat(300),
    `${'word '.repeat(60)}end`,
  ];
  it.each(texts)('reads back as %j', async (text) => {
    // Stores do not accept keys with a NUL character, so they are not read either.
    const values = { text, list: [text], inside: { [text.replaceAll('\0', '')]: { text } } };
    expect(readYaml(await configYaml(values))).toMatchObject({ value: values, problems: [] });
  });

  it.each([0, 1, -1, 1.5, -0.25, 1e21, -2.5e-9, 1e-7, 123456789012345, true, false, null, [], {}, [[]], [{}]])(
    'reads back as the value %j',
    async (value) => {
      const same = { value: { value, list: [value, value] } };
      expect(readYaml(await configYaml(same.value))).toMatchObject({ ...same, problems: [] });
    },
  );

  it('repeats duplicate values instead of using aliases', async () => {
    const shared = { a: 1 };
    expect(await configYaml({ one: shared, two: shared })).toBe('one:\n  a: 1\ntwo:\n  a: 1\n');
  });
});
