import { aliasHelp, checkAliasFormats, matchAlias } from '../../src';

const formats = [
  'show {{what}}',
  { display: 'list <pack>', representation: ['list {{pack}}', 'ls {{pack=core}}'] },
  { display: 'only help' },
  { display: 'issues', representation: ['(?:\\s|^)(?P<id>[A-Z]+-[0-9]+)(?:\\s|$)'], match_multiple: true },
];

describe('matchAlias', () => {
  it('returns the matching representation and its help text', () => {
    expect(matchAlias(formats, 'ls')).toEqual([
      { display: 'list <pack>', representation: 'ls {{pack=core}}', parameters: [{ pack: 'core' }] },
    ]);
  });

  it('returns all matches, so that the caller can detect ambiguity', () => {
    expect(matchAlias(['go {{x}}', 'go a {{y}}'], 'go a b').map(({ representation }) => representation)).toEqual([
      'go {{x}}',
      'go a {{y}}',
    ]);
  });

  it('tries the formats for several executions only on request', () => {
    expect(matchAlias(formats, 'AB-1 and AB-2')).toEqual([]);
    expect(matchAlias(formats, 'AB-1 and AB-2', { multiple: true })[0]?.parameters).toEqual([
      { id: 'AB-1' },
      { id: 'AB-2' },
    ]);
  });

  it('does not match a format that is help only', () => {
    expect(matchAlias([{ display: 'help' }, { display: 'help', representation: [''] }], 'a=b')).toEqual([]);
  });

  it.each([
    ['one word', 'a'.repeat(50_000)],
    ['classes', '[a-z]'.repeat(50_000)],
    ['parameters', Array.from({ length: 3000 }, (_, index) => `{{p${index}}}`).join(' ')],
  ])('skips a stored format of %s that is too long to compile', (_, format) => {
    const told: string[] = [];
    const matches = matchAlias([format, 'go {{x}}'], 'go home', { problem: (_format, { code }) => told.push(code) });
    expect(matches).toEqual([expect.objectContaining({ parameters: [{ x: 'home' }] })]);
    expect(told).toEqual(['alias.invalid-format']);
  });

  it('rejects saving a format over the length limit', () => {
    expect(() => checkAliasFormats(['a'.repeat(8193)])).toThrow('limits.max_pattern_length');
    expect(() => checkAliasFormats([{ representation: ['a'.repeat(101)] }], 100)).toThrow(
      '101 characters; at most 100',
    );
    expect(() => checkAliasFormats(['a'.repeat(101)], 101)).not.toThrow();
  });

  it('skips and reports an invalid format', () => {
    const told: string[] = [];
    const problem = (representation: string, { code }: { code: string }) => told.push(`${representation}: ${code}`);
    expect(matchAlias(['(', 'go'], 'go', { problem })).toHaveLength(1);
    expect(told).toEqual(['(: alias.invalid-format']);
    expect(() => checkAliasFormats(['go', { representation: ['('] }])).toThrow(/Invalid alias format "\("/);
  });
});

describe('aliasHelp', () => {
  const aliases = [
    { pack: 'p', description: 'da', formats: ['Alpha {{x}}', { display: 'beta', representation: ['b'] }] },
    { pack: 'q', formats: [{ representation: ['hidden'] }, 'gamma'] },
    { pack: 'q', enabled: false, formats: ['resting'] },
  ];
  const displayed = (query: Parameters<typeof aliasHelp>[1]) => {
    const { available, helpstrings } = aliasHelp(aliases, query);
    return [available, ...helpstrings.map(({ display }) => display)];
  };

  it.each<[Parameters<typeof aliasHelp>[1], unknown[]]>([
    [{}, [3, 'Alpha {{x}}', 'beta', 'gamma']],
    [{ filter: 'ALPHA \\{' }, [1, 'Alpha {{x}}']],
    [{ pack: 'q' }, [1, 'gamma']],
    [{ limit: 1, offset: 1 }, [3, 'beta']],
    [{ limit: 0, offset: 1 }, [3, 'beta', 'gamma']],
    [{ offset: 9 }, [3]],
  ])('returns for %j', (query, expected) => expect(displayed(query)).toEqual(expected));

  it('has a text for an alias without a description, and rejects an invalid filter', () => {
    expect(aliasHelp(aliases, { pack: 'q' }).helpstrings[0]?.description).toBe('');
    expect(() => aliasHelp(aliases, { filter: '[' })).toThrow(expect.objectContaining({ status: 400 }));
  });
});
