import type { PatternNode } from './syntax-tree';

/**
 * The maximum number of steps of a backtracking matcher on a text of n characters: about `factor * n ** degree` from one start
 * position. `wild` means that the number may grow exponentially, because something that can match in several ways is repeated.
 */
export interface PatternCost {
  readonly degree: number;
  readonly factor: number;
  readonly wild: boolean;
}

interface NodeCost extends PatternCost {
  /** There is only one way to match, so a repetition adds no choice. */
  readonly rigid: boolean;
}

export function patternCost(node: PatternNode): PatternCost {
  const { degree, factor, wild } = cost(node);
  return { degree: degree + (startsAnchored(node) ? 0 : 1), factor, wild };
}

const one: NodeCost = { degree: 0, factor: 1, wild: false, rigid: true };
/** A reference, or a check whether a group took part, which looks at the end of the text. */
const linear: NodeCost = { ...one, degree: 1 };
const FACTOR_LIMIT = 1e6;

function cost(node: PatternNode): NodeCost {
  switch (node.kind) {
    case 'one':
    case 'zero':
      return one;
    case 'backreference':
      return linear;
    case 'group':
      return cost(node.body);
    case 'atomic':
      return { ...both(cost(node.body), linear), rigid: true };
    case 'conditional':
      return both(linear, either(cost(node.yes), cost(node.no)));
    case 'sequence':
      return node.items.map(cost).reduce(both, one);
    case 'choice':
      return { ...node.options.map(cost).reduce(either), rigid: false };
    case 'repeat':
      return repeated(cost(node.body), node.min, node.max);
  }
}

const both = (a: NodeCost, b: NodeCost): NodeCost => ({
  degree: a.degree + b.degree,
  factor: a.factor * b.factor,
  wild: a.wild || b.wild || a.factor * b.factor > FACTOR_LIMIT,
  rigid: a.rigid && b.rigid,
});

const either = (a: NodeCost, b: NodeCost): NodeCost => ({
  degree: Math.max(a.degree, b.degree),
  factor: a.factor + b.factor,
  wild: a.wild || b.wild,
  rigid: false,
});

function repeated(body: NodeCost, min: number, max: number): NodeCost {
  if (!body.rigid && max > 1) return { ...body, wild: true };
  if (max === Infinity) return { ...body, degree: body.degree + 1, rigid: false };
  const factor = body.factor * (max - min + 1);
  return { ...body, factor, wild: body.wild || factor > FACTOR_LIMIT, rigid: body.rigid && min === max };
}

/** An anchored pattern is tried at one position only. */
function startsAnchored(node: PatternNode): boolean {
  if (node.kind === 'sequence') return node.items[0] !== undefined && startsAnchored(node.items[0]);
  if (node.kind === 'choice') return node.options.every(startsAnchored);
  if (node.kind === 'group') return !/[=!]$/.test(node.open) && startsAnchored(node.body);
  return node.kind === 'zero' && node.js === '^';
}
