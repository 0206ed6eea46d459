import { TextCache } from '../jinja/text-cache';
import type { Language } from './language';
import { type ExpressionPiece, type Piece, piecesOf } from './pieces';

/** How a text is evaluated. */
export type TextPlan =
  | { readonly kind: 'literal' }
  /** Expressions of both languages, which the interface refuses. */
  | { readonly kind: 'mixed' }
  /** The text is one expression and nothing else: its value keeps its type. */
  | { readonly kind: 'whole'; readonly piece: ExpressionPiece }
  /** Expressions of one language inside text: each gives way to its text. */
  | { readonly kind: 'parts'; readonly language: Language; readonly pieces: readonly Piece[] }
  /** A Jinja template with blocks, rendered as a whole. */
  | { readonly kind: 'template'; readonly pieces: readonly Piece[] };

const plans = new TextCache<TextPlan>();

const LITERAL: TextPlan = { kind: 'literal' };
const DELIMITER = /<%|\{[{%]/;

export const planOf = (text: string): TextPlan => (DELIMITER.test(text) ? plans.get(text, makePlan) : LITERAL);

function makePlan(text: string): TextPlan {
  const pieces = piecesOf(text);
  const yaql = pieces.some(({ kind }) => kind === 'yaql');
  const blocks = pieces.some(({ kind }) => kind === 'block');
  const jinja = blocks || pieces.some(({ kind }) => kind === 'jinja');
  if (yaql && jinja) return { kind: 'mixed' };
  if (!yaql && !jinja) return LITERAL;
  if (blocks) return { kind: 'template', pieces };
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && isExpressionPiece(only)) return { kind: 'whole', piece: only };
  return { kind: 'parts', language: yaql ? 'yaql' : 'jinja', pieces };
}

export const isExpressionPiece = (piece: Piece): piece is ExpressionPiece =>
  piece.kind === 'yaql' || piece.kind === 'jinja';

/** Whether a text holds an expression or a template block. */
export const isExpression = (text: string): boolean => planOf(text).kind !== 'literal';

/** Whether a text is one expression and nothing else, not even a blank, so that its value keeps its type. */
export const isWholeExpression = (text: string): boolean => planOf(text).kind === 'whole';
