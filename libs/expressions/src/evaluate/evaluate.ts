import { isPlainObject } from '@switchyard/base';
import { evaluateText } from './evaluate-text';
import { ExpressionError, type ExpressionScope } from './scope';

/**
 * The value of a part of a workflow's definition: every text in it, keys of maps included, with its `<% … %>` or
 * `{{ … }}` evaluated. A text that is one expression and nothing else gives that expression's value; in other texts each
 * expression is replaced by its text, as Python prints it. Other values are handed through.
 *
 * What an expression gives is data and is never evaluated again, whatever it looks like.
 * @throws ExpressionError with the text that workflow errors show, and the scope's own Interruptions
 */
export function evaluate(value: unknown, scope: ExpressionScope): unknown {
  try {
    return evaluated(value, scope);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'RecursionError: maximum recursion depth exceeded';
    throw new ExpressionError('ExpressionEvaluationException', message, '', undefined, { cause: error });
  }
}

function evaluated(value: unknown, scope: ExpressionScope): unknown {
  if (typeof value === 'string') return evaluateText(value, scope);
  if (Array.isArray(value)) return value.map((item) => evaluated(item, scope));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [evaluatedKey(key, scope), evaluated(item, scope)]),
  );
}

/** Keys of maps are texts, in JSON's form for what is none. */
function evaluatedKey(key: string, scope: ExpressionScope): string {
  const value = evaluateText(key, scope);
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return String(value);
  const message = `TypeError: unhashable type: '${Array.isArray(value) ? 'list' : 'dict'}'`;
  throw new ExpressionError('ExpressionEvaluationException', message, key);
}
