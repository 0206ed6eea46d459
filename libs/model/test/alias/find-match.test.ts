import { findMatch } from '../../src';

const several = (pattern: string) => ({ representation: [pattern], match_multiple: true });
const alias = (ref: string, ...formats: Parameters<typeof findMatch>[0][number]['formats'][number][]) => ({
  ref,
  formats,
});

describe('findMatch', () => {
  it('finds the alias, the pattern and the parameters', () => {
    const known = [alias('a', 'go {{x}}', 'come {{x}}'), alias('b', 'stay')];
    expect(findMatch(known, 'come home')).toEqual({
      alias: known[0],
      display: 'come {{x}}',
      representation: 'come {{x}}',
      parameters: [{ x: 'home' }],
    });
  });

  it('tries formats for several executions when nothing else matches', () => {
    const known = [alias('a', several('(?:\\s|^)(?P<n>[0-9]+)(?:\\s|$)')), alias('b', 'add {{x}} {{y}}')];
    expect(findMatch(known, 'add 1 2').alias.ref).toBe('b');
    expect(findMatch(known, 'sum 1 and 2').parameters).toEqual([{ n: '1' }, { n: '2' }]);
  });

  it.each([
    ['nothing', 'leave', "Command 'leave' matched no patterns"],
    ['two patterns', 'go a b', "Command 'go a b' matched more than 1 pattern"],
    ['two patterns for several runs', 'see 1', "Command 'see 1' matched more than 1 (multi) pattern"],
  ])('rejects a command that matches %s', (_, command, text) => {
    const digits = several('(?:\\s|^)(?P<n>[0-9]+)(?:\\s|$)');
    const known = [alias('a', 'go {{x}}', 'go a {{y}}', digits), alias('b', digits)];
    expect(() => findMatch(known, command)).toThrow(text);
  });

  it('skips invalid formats, and reports their alias', () => {
    const told: string[] = [];
    const known = [alias('bad', 'x ('), alias('good', 'x {{y}}')];
    const found = findMatch(known, 'x 1', ({ ref }, format, { code }) => told.push(`${ref} ${format} ${code}`));
    expect(found.alias.ref).toBe('good');
    expect(told).toEqual(['bad x ( alias.invalid-format']);
  });
});
