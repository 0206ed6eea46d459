/** The names that Python and Jinja2 give these failures; workflow errors print them (`… UndefinedError: 'x' is undefined`). */
export type JinjaErrorKind =
  | 'UndefinedError'
  | 'TemplateSyntaxError'
  | 'TemplateAssertionError'
  | 'TemplateRuntimeError'
  | 'FilterArgumentError'
  | 'SecurityError'
  | 'TypeError'
  | 'ValueError'
  | 'KeyError'
  | 'IndexError'
  | 'OverflowError'
  | 'RecursionError'
  | 'ZeroDivisionError'
  | 'BudgetError';

/** Everything that goes wrong in a template: its text, its data, or its cost. */
export class JinjaError extends Error {
  override readonly name = 'JinjaError';
  constructor(
    readonly kind: JinjaErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
