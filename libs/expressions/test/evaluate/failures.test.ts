import { evaluate, ExpressionError, Unread } from '../../src';
import { scopeOf } from './scope-of';

const scope = scopeOf({ num: 5, text: 'x', __state: {} });

const failureOf = (value: unknown): ExpressionError => {
  try {
    evaluate(value, scope);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
};

const wrapped = (expression: string, cause: string) => `Unable to evaluate expression '${expression}'. ${cause}`;

describe('failures of Jinja expressions', () => {
  test.each<[string, string]>([
    ['{{ ctx().missing }}', 'There are unresolved variables: ctx().missing'],
    ['a {{ ctx().one }} {{ ctx().num }} {{ two }}', 'There are unresolved variables: ctx().one, two'],
    ['{{ ctx("p3") }}', wrapped('{{ ctx("p3") }}', 'VariableUndefinedError: The variable "p3" is undefined.')],
    [
      "{{ ctx('__state') }}",
      wrapped(
        "{{ ctx('__state') }}",
        'VariableInaccessibleError: The variable "__state" is for internal use and inaccessible.',
      ),
    ],
    ['{{ ctx().__state }}', 'There are unresolved variables: ctx().__state'],
    ['{{ ctx().a.b }}', wrapped('{{ ctx().a.b }}', "UndefinedError: 'dict object' has no attribute 'a'")],
    ['{{ ctx().num + "a" }}', wrapped('{{ ctx().num + "a" }}', "TypeError: unsupported operand type(s) for +: 'int' and 'str'")],
    ['{{ 1 / 0 }}', wrapped('{{ 1 / 0 }}', 'ZeroDivisionError: division by zero')],
    ['{{ ctx(1, 2) }}', wrapped('{{ ctx(1, 2) }}', 'TypeError: ctx() takes 1 positional arguments but 2 were given')],
    ['{{ ctx(no=1) }}', wrapped('{{ ctx(no=1) }}', "TypeError: ctx() got an unexpected keyword argument 'no'")],
    ["{{ ctx('num', key='num') }}", wrapped("{{ ctx('num', key='num') }}", "TypeError: ctx() got multiple values for argument 'key'")],
    ['{{ task_status() }}', wrapped('{{ task_status() }}', "TypeError: task_status() missing 1 required positional argument: 'task_id'")],
    ['{{ basename() }}', wrapped('{{ basename() }}', "TypeError: basename() missing 1 required positional argument: 'path'")],
    ['{{ nothing() }}', wrapped('{{ nothing() }}', "UndefinedError: 'nothing' is undefined")],
    ["{{ 'a' | nothing }}", wrapped("{{ 'a' | nothing }}", "TemplateAssertionError: No filter named 'nothing'.")],
    ['{{ 1 + }}', wrapped('{{ 1 + }}', "TemplateSyntaxError: unexpected 'end of print statement'")],
    ['{% if %}{% endif %}', wrapped('{% if %}{% endif %}', "TemplateSyntaxError: Expected an expression, got 'end of statement block'")],
    ['{% if true %}{{ ctx().a }}{% endif %}', wrapped('{% if true %}{{ ctx().a }}{% endif %}', "UndefinedError: 'dict object' has no attribute 'a'")],
  ])('%s', (text, message) => {
    expect(failureOf(text)).toMatchObject({ kind: 'JinjaEvaluationException', message });
  }); // oxfmt-ignore

  test('name the expression', () => {
    expect(failureOf(['ok', { a: 'b {{ ctx("no") }}' }]).expression).toBe('{{ ctx("no") }}');
  });
});

test('a text with expressions of both languages is refused', () => {
  for (const text of ['<% 1 %> {{ 2 }}', '{% if true %}<% 1 %>{% endif %}']) {
    expect(failureOf(text)).toMatchObject({
      kind: 'ExpressionGrammarException',
      message: 'Expression with multiple types is not supported.',
      expression: text,
    });
  }
});

describe('an error thrown by a host function', () => {
  const scope = (error: Error) => scopeOf({}, { taskStatus: () => { throw error; } }); // oxfmt-ignore

  test.each(['<% task_status(t1) %>', "{{ task_status('t1') }}", "a {{ task_status('t1') }}"])(
    'passes through %s when it is an interruption',
    (text) => {
      const unread = new Unread('a', () => Promise.resolve());
      expect(() => evaluate([text], scope(unread))).toThrow(unread);
    },
  );

  test.each(['<% task_status(t1) %>', "{{ task_status('t1') }}"])('is a failure of %s otherwise', (text) => {
    const message = `Unable to evaluate expression '${text}'. TypeError: broken`;
    expect(() => evaluate(text, scope(new TypeError('broken')))).toThrow(message);
    expect(() => evaluate(text, scope(new TypeError('broken')))).toThrow(ExpressionError);
  });
});
