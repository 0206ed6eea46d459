import { cpuTimeMs } from '@switchyard/testkit/cpu-time';
import { compileAliasFormat } from '../../src';
import commands from './commands.json';

describe('compileAliasFormat', () => {
  // The matcher that tests of packs use is tested with the same table: python/tests/test_pack_testing.py.
  it.each(commands as [string, string, Record<string, string> | null][])(
    '%j matches the command %j',
    (format, command, parameters) => {
      expect(compileAliasFormat(format).extract(command)).toEqual(parameters ?? undefined);
    },
  );

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
