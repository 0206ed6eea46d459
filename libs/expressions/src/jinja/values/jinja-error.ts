/**
 * The names of these errors in Python and Jinja2. Workflow errors print them (`… UndefinedError: 'x' is undefined`).
 */
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

/** Any error in a template: in its text, its data, or its cost. */
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
