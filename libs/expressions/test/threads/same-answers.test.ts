import { recordedLines } from '@switchyard/testkit/recorded';
import { evaluateYaql, renderNative, renderText, yaqlText } from '../../src';
import { evaluateJinja, renderJinja } from '../../src/jinja/expression';
import type { ScopedExpression, StandaloneTemplate } from '../../src/turns/evaluation';
import { scopeOf } from '../yaql/host';
import { readAnswers } from '../yaql/recorded-answers';
import { here, inThread } from './in-thread';

/** These differ between runs. */
const CHANGING = /random|now\(|object at 0x/;

describe('an evaluation in a thread has the same result as on the main thread', () => {
  const { context, answers } = readAnswers();
  const scope = scopeOf(context);
  const sources = answers.map(({ expr }) => expr).filter((source) => !CHANGING.test(source));

  test.each(['native', 'text'] as const)('for the recorded YAQL expressions, as %s', async (form) => {
    expect(sources.length).toBeGreaterThan(2_000);
    for (const source of sources) {
      const evaluation: ScopedExpression = { language: 'yaql', form, source, scope };
      const expected = here(() => (form === 'native' ? evaluateYaql : yaqlText)(source, scope));
      expect({ source, ...(await inThread(evaluation)) }).toEqual({ source, ...expected });
    }
  });

  const [head, ...templates] = recordedLines<{ context: Record<string, unknown>; template: string }>('jinja.jsonl');
  const names = head!.context;

  test.each(['native', 'text'] as const)('for the recorded templates, as %s', async (form) => {
    for (const { template: source } of templates.filter(({ template }) => !CHANGING.test(template))) {
      const evaluation = standalone(source, form, names);
      const expected = here(() => (form === 'native' ? renderNative : renderText)(source, names));
      expect({ source, ...(await inThread(evaluation)) }).toEqual({ source, ...expected });
    }
  });

  const jinja = scopeOf(names);
  test.each(['native', 'text', 'block'] as const)(
    'for the templates as expressions of workflows, as %s',
    async (form) => {
      for (const { template } of templates.filter(({ template }) => !CHANGING.test(template))) {
        const source = Object.keys(names).reduce((text, name) => text.replace(new RegExp(`\\b${name}\\b`), `ctx().${name}`), template); // oxfmt-ignore
        const evaluation: ScopedExpression = { language: 'jinja', form, source, scope: jinja };
        const expected = here(() =>
          form === 'block' ? renderJinja(source, jinja) : evaluateJinja(source, jinja, form),
        );
        expect({ source, ...(await inThread(evaluation)) }).toEqual({ source, ...expected });
      }
    },
  );

  test.each([
    ['yaql', '12345678901234567890123 * 10'],
    ['yaql', 'float(2)'],
    ['yaql', '[range(3), set(1, 2), 0.0 * -1, 1.0]'],
    ['yaql', "dict('__proto__' => 1)"],
    ['yaql', 'def(f, f($)) -> f(1)'],
    ['yaql', '1 +'],
    ['jinja', '{{ nope }}'],
    ['jinja', '{{ ctx().d.nope }}'],
    ['jinja', '{{ ctx().d.nope.more }}'],
    ['jinja', '{{ 2.0 }} {{ 4 / 2 }} {{ 10 ** 30 }}'],
    ['jinja', '{{ 10 ** 30 }}'],
    ['jinja', '{{ range }}'],
    ['jinja', '{% if %}'],
    ['jinja', '{{ ctx("nope") }}'],
    ['jinja', '{{ "x" | decrypt_kv }}'],
  ] as const)('in %s for %s', async (language, source) => {
    for (const form of ['native', 'text'] as const) {
      const evaluation: ScopedExpression = { language, form, source, scope: jinja };
      const evaluate = { yaql: form === 'native' ? evaluateYaql : yaqlText, jinja: evaluateJinja }[language];
      expect(await inThread(evaluation)).toEqual(here(() => evaluate(source, jinja, form as never)));
    }
  });
});

const standalone = (source: string, form: 'native' | 'text', context: Record<string, unknown>): StandaloneTemplate => ({
  ...{ language: 'template', form, source, context, options: {} },
});
