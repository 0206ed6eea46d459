import {
  evaluate,
  ExpressionError,
  inspectText,
  workflowFunctions,
  type ExpressionScope,
} from '@switchyard/expressions';
import { seedsOf, VARIABLES } from '../corpus';
import type { FuzzTarget } from '../fuzz-target';

const scope: ExpressionScope = {
  variables: VARIABLES,
  functions: workflowFunctions({
    variables: VARIABLES,
    item: { k: [1, 2] },
    currentTask: { id: 't1', route: 0, status: 'succeeded', result: { stdout: 'x', list: [1, 2] } },
    taskStatus: () => 'succeeded',
  }),
};

const isRefusal = (thrown: unknown): boolean => thrown instanceof ExpressionError;

const YAQL = [
  'ctx(hosts).where($.up and $.load < 1).select($.name).orderBy($)',
  'ctx().dict.b.c.first() + ctx(num) * -2 mod 5',
  'let(x => 1, y => [2, 3]) -> $x + $y.sum()',
  '[1, 2, 3].select($ * 2).toList().join(",") =~ "2.*6"',
  'dict(a => 1).set(b, 2).items().orderByDescending($[0])',
  'switch(ctx(num) > 5 => "big", true => "small")',
  'ctx(text).split(" ").select($.toLower()).groupBy($.len(), $)',
  'range(10).skip(2).take(3).zip([1, 2, 3]).flatten()',
  'datetime("2020-01-02T03:04:05Z").format("%Y") + str(timespan(hours => 5).totalHours)',
  'result().stdout in [x, y] and succeeded()',
];

const YAQL_TOKENS = ['$', '$.', '.', '?.', '(', ')', '[', ']', '{', '}', '=>', '->', ',', ' and ', ' or ', 'not ', ' in ', ' =~ ', ' mod ', '+', '-', '*', '/', '<', '=', '!=', 'ctx()', 'ctx(ints)', 'ctx(hosts)', '.select($)', '.where($)', '.len()', '.toList()', '.sum()', '.orderBy($)', '.join(",")', '.replace("a", "b")', '.matches("a+")', 'range(5)', 'range(0, 1000000)', 'sequence()', '.limit(3)', 'let(x => 1) -> ', 'regex("(a|a)*b")', 'dict(', 'null', 'true', '"', "'", '`', '\\', '1', '9999999', '.repeat(1000000)', '* 1000000']; // oxfmt-ignore

export const yaqlTarget: FuzzTarget = {
  name: 'yaql',
  seeds: seedsOf('yaql.jsonl', ({ expr, error }) => (error === true ? undefined : expr), YAQL),
  tokens: YAQL_TOKENS,
  run: (input) => [inspectText(`<% ${input} %>`), evaluate(`<% ${input} %>`, scope)],
  isRefusal,
};

/** Texts that mix plain text and expressions of both languages. */
export const mixedTarget: FuzzTarget = {
  name: 'mixed',
  seeds: [
    ...yaqlTarget.seeds
      .slice(0, 200)
      .map((expression, index) => (index % 2 ? `<% ${expression} %>` : `a <% ${expression} %> b`)),
    ...seedsOf('jinja.jsonl', ({ template }) => template, ['{{ ctx("text") | upper }}', 'x {{ ctx().num }} y']),
    '<% ctx(text) %> and {{ ctx("num") }}',
    '{% for x in ctx("ints") %}{{ x }}{% endfor %}',
  ],
  tokens: ['<%', '%>', '{{', '}}', '{%', '%}', '<% ctx(num) %>', '{{ ctx().num }}', '{#', '#}', ...YAQL_TOKENS],
  run: (input) => [inspectText(input), evaluate({ [input.slice(0, 50)]: [input] }, scope)],
  isRefusal,
};
