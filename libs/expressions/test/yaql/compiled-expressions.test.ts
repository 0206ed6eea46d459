import { CompiledExpressions } from '../../src/yaql/compiled-expressions';
import { library } from '../../src/yaql/library';

describe('compiled expressions', () => {
  test('are kept, up to a limit, and the least recently used ones go first', () => {
    const expressions = new CompiledExpressions(library, 2);
    const first = expressions.get('1');
    const second = expressions.get('2');
    expect(expressions.get('1')).toBe(first);
    expressions.get('3');
    expect(expressions.size).toBe(2);
    expect(expressions.get('1')).toBe(first);
    expect(expressions.get('2')).not.toBe(second);
  });

  test('are not kept when they are long or wrong', () => {
    const expressions = new CompiledExpressions(library, 2);
    expressions.get(`'${'x'.repeat(20_000)}'`);
    expect(() => expressions.get('1 +')).toThrow('unexpected end');
    expect(expressions.size).toBe(0);
  });
});
