import { cpuTimeMs } from '@switchyard/testkit/cpu-time';
import { compileAliasFormat } from '../../src';

describe('compileAliasFormat', () => {
  it.each<[format: string, command: string, parameters: Record<string, string> | undefined]>([
    [
      'run {{cmd}} on {{hosts}}',
      'run date on localhost timeout=120',
      { cmd: 'date', hosts: 'localhost', timeout: '120' },
    ],
    ['run {{cmd}} {{hosts=localhost}}', 'run date', { cmd: 'date', hosts: 'localhost' }],
    ['run {{cmd}} {{hosts=localhost}}', 'run "date -u" h1', { cmd: 'date -u', hosts: 'h1' }],
    ['(run|execute) {{cmd}}( on {{hosts=localhost}})?[!.]?', 'execute date on h2!', { cmd: 'date', hosts: 'h2' }],
    ['list', 'list pack=core limit=2', { pack: 'core', limit: '2' }],
    ['list', 'list', {}],
    ["x {{ a = {'k':'v'} }}", 'x', { a: "{'k':'v'}" }],
    ['x {{a="two words"}}', 'x', { a: 'two words' }],
    ['greet {{a}}', 'greet', undefined],
    ['greet {{a}}', 'please greet Ann', undefined],
    ['say {{text}}', 'say one\ntwo', { text: 'one\ntwo' }],
    ['Say {{text}}', 'say x', undefined],
    ['(?i)Say {{text}}', 'sAY x', { text: 'x' }],
    ['up (?P<n>[0-9]+)( (?P<unit>\\w+))?', 'up 5', { n: '5' }],
    ['^up {{n}}$', 'up 5', { n: '5' }],
    ['^\\s*up {{n}}\\s*$', ' up 5 ', { n: '5' }],
    ['{{a=b}}', '', { a: 'b' }],
    ['{{a}}', '', undefined],
    ['', '', undefined],
    ['', 'a=b', undefined],
  ])('%j matches the command %j', (format, command, parameters) => {
    expect(compileAliasFormat(format).extract(command)).toEqual(parameters);
  });

  it.each<[tail: string, pairs: Record<string, string>]>([
    [`a="x y" b='q' c={"k": 1} d="" e=f=g`, { a: 'x y', b: 'q', c: '{"k": 1}', d: '', e: 'f=g' }],
    ['a ="b"', { a: 'b' }],
    ['a="b c=d', { a: '"b', c: 'd' }],
    ['a=1 a=2', { a: '2' }],
  ])('parses trailing pairs: %s', (tail, pairs) => {
    expect(compileAliasFormat('list').extract(`list ${tail}`)).toEqual(pairs);
  });

  it.each(['a=b x', 'a = b', 'x = '])('does not parse %s, which does not end with a pair', (tail) => {
    expect(compileAliasFormat('do {{all}}').extract(`do ${tail}`)).toEqual({ all: tail.trim() });
  });

  it('returns every match in a command', () => {
    const format = compileAliasFormat('(?:\\s+|^)(?P<key>[A-Z]+-[0-9]+)(?:\\s|$)');
    expect(format.extractAll('AB-1 and CD-2 by=me')).toEqual([
      { key: 'AB-1', by: 'me' },
      { key: 'CD-2', by: 'me' },
    ]);
    expect(format.extractAll('nothing')).toEqual([]);
  });

  it.each(['{{a}}{{b=1}}', '(', '{{1}}', '{{a}} {{a}}', 'get {{k}}={{v}}'])('rejects %j', (format) => {
    expect(() => compileAliasFormat(format)).toThrow(
      expect.objectContaining({ code: 'alias.invalid-format', status: 400 }),
    );
  });

  it.each([`${'a="b" '.repeat(5_000)}!!`, `${'=" '.repeat(3_000)}`, '='.repeat(50_000), ' '.repeat(50_000)])(
    'handles a long command quickly (%#)',
    (tail) => {
      const start = cpuTimeMs();
      compileAliasFormat('list').extract(`list ${tail}`);
      expect(cpuTimeMs() - start).toBeLessThan(2_000);
    },
  );
});
