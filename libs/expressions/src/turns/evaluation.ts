import type { ExpressionScope } from '../evaluate/scope';
import type { Context, RenderOptions } from '../jinja/render';
import type { YaqlLimits } from '../yaql/run/budget';

/** One expression or template to evaluate, with everything it depends on. */
export type Evaluation = ScopedExpression | StandaloneTemplate;

/** An expression of a workflow. */
export interface ScopedExpression {
  readonly language: 'yaql' | 'jinja';
  /** `block`: a text with `{% … %}`. */
  readonly form: 'native' | 'text' | 'block';
  readonly source: string;
  readonly scope: ExpressionScope;
  readonly limits?: Partial<YaqlLimits> | undefined;
}

/** A template of a parameter, a rule or an alias. */
export interface StandaloneTemplate {
  readonly language: 'template';
  readonly form: 'native' | 'text';
  readonly source: string;
  readonly context: Context;
  readonly options: RenderOptions;
}

type Kind = Pick<Evaluation, 'language' | 'form' | 'source'>;

export const isAlike = (a: Kind, b: Kind): boolean =>
  a.source === b.source && a.form === b.form && a.language === b.language;

/** A question from an evaluation in a thread to the host. */
export type HostQuestion =
  | { readonly name: string; readonly args: readonly unknown[]; readonly rest: readonly unknown[] }
  | { readonly item: Parameters<NonNullable<RenderOptions['datastore']>>[0] };

/** Asks the host on behalf of an evaluation. @throws what the host throws */
export function askHost(evaluation: Evaluation, question: HostQuestion): unknown {
  if ('item' in question) {
    return evaluation.language === 'template' ? evaluation.options.datastore?.(question.item) : undefined;
  }
  const { name, args, rest } = question;
  return evaluation.language === 'template' ? undefined : evaluation.scope.functions.get(name)?.call(args, rest);
}
