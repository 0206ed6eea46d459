import { templateProblem } from '../jinja';
import { yaqlProblem } from '../yaql';
import { MIXED_LANGUAGES } from './failures';
import { type Language, type ExpressionPiece, type Piece, piecesOf, isExpressionPiece, planOf } from './pieces';

/** One expression found in a text. */
export interface ExpressionFinding {
  /** Null for a text that mixes both languages. */
  readonly language: Language | null;
  /** With its delimiters; the whole text for a template with blocks or a text that mixes both languages. */
  readonly expression: string;
  /** Offset in the text. */
  readonly offset: number;
  /** The problem; undefined for a valid expression. */
  readonly problem: string | undefined;
}

/** Lists the expressions of a text in order, with their problems. */
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

/** Checking an expression is costly, so repeated expressions are checked once. */
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

/** An unclosed expression or a comment only shows up when the whole text is parsed as a template. */
function partsFindings(text: string, pieces: readonly Piece[]): ExpressionFinding[] {
  const [whole, ...findings] = templateFindings(text, pieces);
  return whole?.problem === undefined ? findings : [whole, ...findings];
}

/** The expressions, plus the surrounding template if it has a problem of its own. */
function templateFindings(text: string, pieces: readonly Piece[]): ExpressionFinding[] {
  const findings = findingsIn(pieces);
  const problem = findings.some((finding) => finding.problem !== undefined) ? undefined : templateProblem(text);
  return [{ language: 'jinja', expression: text, offset: 0, problem }, ...findings];
}

/** A context variable named by the expressions of a text. */
export interface VariableReference {
  readonly name: string;
  readonly language: Language;
}

const CONTEXT_VARIABLE = /\bctx\((?:\)\.(\w+)(?![\w(])|(\w+)\)|'(\w+)'\)|"(\w+)"\))/g;

/**
 * Lists the context variables that the expressions of a text read as `ctx().x`, `ctx(x)`, `ctx('x')` or `ctx("x")`, in
 * order and once for each language. Other ways to read a variable, and template blocks, are not searched.
 */
export function variablesOf(text: string): VariableReference[] {
  if (planOf(text).kind === 'literal') return [];
  const found = piecesOf(text).filter(isExpressionPiece).flatMap(referencesOf);
  return [...new Map(found.map((each) => [`${each.language} ${each.name}`, each])).values()];
}

const referencesOf = ({ kind: language, source }: ExpressionPiece): VariableReference[] =>
  [...source.matchAll(CONTEXT_VARIABLE)].map(([, a, b, c, d]) => ({ name: a ?? b ?? c ?? d ?? '', language }));
