import { templateProblem } from '../jinja';
import { yaqlProblem } from '../yaql';
import { MIXED_LANGUAGES } from './failures';
import type { Language } from './language';
import { type ExpressionPiece, type Piece, piecesOf } from './pieces';
import { isExpressionPiece, planOf } from './text-plan';

/** One expression of a text, as inspection sees it. */
export interface ExpressionFinding {
  /** Null for a text with expressions of both languages. */
  readonly language: Language | null;
  /** With its delimiters; the whole text for a template with blocks and for a text of both languages. */
  readonly expression: string;
  /** Where it begins in the text. */
  readonly offset: number;
  /** What is wrong with it; undefined for a sound one. */
  readonly problem: string | undefined;
}

/** The expressions of a text, in order, and what is wrong with them. */
export function inspectText(text: string): ExpressionFinding[] {
  const plan = planOf(text);
  switch (plan.kind) {
    case 'literal':
      return [];
    case 'mixed':
      return [{ language: null, expression: text, offset: 0, problem: MIXED_LANGUAGES }];
    case 'whole':
      return findingsIn([plan.piece]);
    case 'parts':
      return plan.language === 'yaql' ? findingsIn(plan.pieces) : partsFindings(text, plan.pieces);
    case 'template':
      return templateFindings(text, plan.pieces);
  }
}

/** A problem costs its search, so each expression is looked at once, however often it stands in the text. */
function findingsIn(pieces: readonly Piece[]): ExpressionFinding[] {
  const problems = new Map<string, string | undefined>();
  return pieces.filter(isExpressionPiece).map((piece) => {
    const { kind: language, text: expression, offset } = piece;
    if (!problems.has(expression)) problems.set(expression, problemOf(piece));
    return { language, expression, offset, problem: problems.get(expression) };
  });
}

const problemOf = ({ kind, text, source }: ExpressionPiece): string | undefined =>
  kind === 'yaql' ? yaqlProblem(source)?.message : templateProblem(text);

/** Beside sound expressions there may be one that does not end, or a comment: as a template the whole text shows it. */
function partsFindings(text: string, pieces: readonly Piece[]): ExpressionFinding[] {
  const [whole, ...findings] = templateFindings(text, pieces);
  return whole?.problem === undefined ? findings : [whole, ...findings];
}

/** The expressions, and the template around them where it has a problem that is none of theirs. */
function templateFindings(text: string, pieces: readonly Piece[]): ExpressionFinding[] {
  const findings = findingsIn(pieces);
  const problem = findings.some((finding) => finding.problem !== undefined) ? undefined : templateProblem(text);
  return [{ language: 'jinja', expression: text, offset: 0, problem }, ...findings];
}

/** A context variable that an expression names. */
export interface VariableReference {
  readonly name: string;
  readonly language: Language;
  /** The expression that names it, with its delimiters. */
  readonly expression: string;
}

const CONTEXT_VARIABLE = /\bctx\((?:\)\.(\w+)(?![\w(])|(\w+)\)|'(\w+)'\)|"(\w+)"\))/g;

/**
 * The context variables that the expressions of a text name as `ctx().x`, `ctx(x)`, `ctx('x')` or `ctx("x")`, in order and
 * each once an expression. Other ways to read a variable, and blocks of templates, are not looked at.
 */
export function variablesOf(text: string): VariableReference[] {
  if (planOf(text).kind === 'literal') return [];
  return piecesOf(text).filter(isExpressionPiece).flatMap(referencesOf); // prettier-ignore
}

function referencesOf({ kind: language, text: expression, source }: ExpressionPiece): VariableReference[] {
  const found = [...source.matchAll(CONTEXT_VARIABLE)].map(([, a, b, c, d]) => a ?? b ?? c ?? d ?? '');
  return [...new Set(found)].map((name) => ({ name, language, expression }));
}
