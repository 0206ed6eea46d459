export type Language = 'yaql' | 'jinja';

/** The class that workflow messages name when an expression of the language fails. */
export const FAILURE_KINDS: Readonly<Record<Language, string>> = {
  yaql: 'YaqlEvaluationException',
  jinja: 'JinjaEvaluationException',
};
