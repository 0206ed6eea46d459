import { isPlainObject } from '@switchyard/base';
import { evaluateJinja, renderJinja } from '../jinja/expression';
import { evaluateYaql, yaqlText } from '../yaql';
import { ExpressionError, type ExpressionScope, UNRESOLVED } from './scope';
import { expressionFailure, MIXED_LANGUAGES, unresolved } from './failures';
import { type ExpressionPiece, type Piece, type TextPlan, isExpressionPiece, planOf } from './pieces';

/**
 * Evaluates part of a workflow definition: every `<% … %>` or `{{ … }}` in its texts, keys of maps included. A text
 * that is exactly one expression gives that expression's value; in other texts each expression is replaced by its text,
 * printed as Python does. Other values are returned unchanged.
 *
 * The result of an expression is data and is never evaluated again, even if it looks like a template.
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

/** Turns a key into a text, as JSON would. */
function evaluatedKey(key: string, scope: ExpressionScope): string {
  const value = evaluateText(key, scope);
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return String(value);
  const message = `TypeError: unhashable type: '${Array.isArray(value) ? 'list' : 'dict'}'`;
  throw new ExpressionError('ExpressionEvaluationException', message, key);
}

/** Evaluates one text of a definition. @throws as `evaluate` */
function evaluateText(text: string, scope: ExpressionScope): unknown {
  const plan = planOf(text);
  if (plan.kind === 'literal') return text;
  const value = valueOfPlan(plan, text, scope);
  scope.onValue?.(value);
  return value;
}

function valueOfPlan(plan: Exclude<TextPlan, { kind: 'literal' }>, text: string, scope: ExpressionScope): unknown {
  switch (plan.kind) {
    case 'mixed':
      throw new ExpressionError('ExpressionGrammarException', MIXED_LANGUAGES, text);
    case 'whole':
      return wholeValue(plan.piece, scope);
    case 'parts':
      return joined(plan.pieces, text, scope);
    case 'template':
      return attempt('jinja', text, () => renderJinja(text, scope));
  }
}

function wholeValue(piece: ExpressionPiece, scope: ExpressionScope): unknown {
  const value = valueOf(piece, scope, 'native');
  if (value === UNRESOLVED) throw unresolved([piece]);
  return jsonData(value);
}

/** Evaluates all expressions first, then reports all unresolved ones together. */
function joined(pieces: readonly Piece[], text: string, scope: ExpressionScope): string {
  const missing: ExpressionPiece[] = [];
  const texts: string[] = [];
  for (const piece of pieces) {
    const value = isExpressionPiece(piece) ? valueOf(piece, scope, 'text') : piece.text;
    if (value === UNRESOLVED) missing.push(piece as ExpressionPiece);
    else texts.push(String(value));
  }
  if (missing.length > 0) throw unresolved(missing);
  return limited(texts.join(''), text);
}

function valueOf(piece: ExpressionPiece, scope: ExpressionScope, form: 'native' | 'text'): unknown {
  const { kind, text, source } = piece;
  return attempt(kind, text, () => {
    if (kind === 'jinja') return evaluateJinja(text, scope, form);
    return form === 'native' ? evaluateYaql(source, scope) : yaqlText(source, scope);
  });
}

function attempt<T>(language: ExpressionPiece['kind'], text: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw expressionFailure(language, text, error);
  }
}

/** Bounds the joined text; each expression is already bounded by its engine. */
const LONGEST = 32_000_000;

function limited(result: string, text: string): string {
  if (result.length <= LONGEST) return result;
  throw new ExpressionError('ExpressionEvaluationException', `The text is longer than ${LONGEST} characters.`, text);
}

/** Most lists and maps in one value. A value with shared parts may be small in memory but take forever to walk. */
const MOST_PARTS = 1_000_000;

/**
 * Converts a value to what JSON can hold: big integers become the nearest number. A value without big integers is
 * returned as is.
 * @throws ExpressionError for a value with too many parts
 */
const jsonData = (value: unknown): unknown => (hasBigInt(value, { left: MOST_PARTS }) ? withoutBigInts(value) : value);

function hasBigInt(value: unknown, parts: { left: number }): boolean {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint';
  parts.left -= 1;
  if (parts.left < 0) {
    throw new ExpressionError('ExpressionEvaluationException', `The value has more than ${MOST_PARTS} parts.`, '');
  }
  let found = false;
  // No early exit: a value with too many parts must be refused in any case.
  if (Array.isArray(value)) for (const item of value) found = hasBigInt(item, parts) || found;
  else if (isPlainObject(value)) for (const key of Object.keys(value)) found = hasBigInt(value[key], parts) || found;
  return found;
}

function withoutBigInts(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withoutBigInts);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutBigInts(item)]));
}
