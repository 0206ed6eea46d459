import { evaluateJinja, renderJinja } from '../jinja/expression';
import { evaluateYaql, yaqlText } from '../yaql';
import { expressionFailure, MIXED_LANGUAGES, unresolved } from './failures';
import { jsonData } from './json-data';
import type { ExpressionPiece, Piece } from './pieces';
import { ExpressionError, type ExpressionScope } from './scope';
import { isExpressionPiece, planOf } from './text-plan';
import { UNRESOLVED } from './unresolved';

/** The value of one text of a definition. @throws as `evaluate` */
export function evaluateText(text: string, scope: ExpressionScope): unknown {
  const plan = planOf(text);
  switch (plan.kind) {
    case 'literal':
      return text;
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

/** All expressions are evaluated before what they left unresolved is told. */
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

/** Each expression is bounded by its engine, and a definition has few; this bounds what they make together. */
const LONGEST = 32_000_000;

function limited(result: string, text: string): string {
  if (result.length <= LONGEST) return result;
  throw new ExpressionError('ExpressionEvaluationException', `The text is longer than ${LONGEST} characters.`, text);
}
