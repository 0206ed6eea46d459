import { renderNative, renderText } from '../../src';

describe('values of the context', () => {
  test.each(['{{ 1 + 1 }}', '{% raw %}', '{{ secret }}', "{{ ''.__class__ }}", '}} {{ secret }}'])(
    'are never read as templates: %s',
    (value) => {
      const context = { value, secret: 'hush' };
      expect(renderText('[{{ value }}]', context)).toBe(`[${value}]`);
      expect(renderNative('{{ [value] }}', context)).toEqual([value]);
      expect(
        renderText("{{ '%s' % value }} {{ '{}'.format(value) }} {{ value | replace('x', 'y') }}", context),
      ).toContain(value);
    },
  );

  test.each([
    '{% set _ = list.append(4) %}{% set _ = list.sort() %}{% set _ = list.pop(0) %}{{ list }}',
    "{% set _ = dict.update({'b': 2}) %}{% set _ = dict.inner.append(1) %}{{ dict }}",
    '{% set _ = (list | first).append(1) if false %}{% set _ = dict.clear() %}{{ dict }}',
  ])('are not changed: %s', (template) => {
    const context = { list: [3, 1], dict: { a: 1, inner: [] } };
    renderText(template, context);
    expect(context).toEqual({ list: [3, 1], dict: { a: 1, inner: [] } });
  });

  test('expose only their own keys, and no way out of the sandbox', () => {
    for (const template of [
      '{{ d.constructor }}',
      "{{ d['__proto__'] }}",
      "{{ 'x'.constructor }}",
      '{{ toString }}',
      '{{ f.call }}',
      '{{ l.length }}',
    ]) {
      expect(() => renderText(template, { d: {}, l: [1] })).toThrow(/undefined|has no attribute/);
    }
    expect(() => renderText("{{ ''.__class__ }}", {})).toThrow(
      "access to attribute '__class__' of 'str' object is unsafe.",
    );
    expect(renderText("{% set d = {} %}{% set _ = d.update({'__proto__': 1}) %}{{ d }}", {})).toBe("{'__proto__': 1}");
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });
});
