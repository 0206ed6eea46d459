import { endOf, startOf } from '../schema/regex/characters';
import type { PatternNode } from '../schema/regex/syntax-tree';

export type Place = 'start' | 'end';

/**
 * The anchors that apply to a whole pattern: those outside of repetitions and lookarounds; of alternatives, only the second is
 * checked. Formats rely on this rule of the interface.
 */
export function placesOf(node: PatternNode): readonly string[] {
  switch (node.kind) {
    case 'zero':
      return [node.js];
    case 'group':
      return /[=!]$/.test(node.open) ? [] : placesOf(node.body);
    case 'sequence':
      return node.items.flatMap(placesOf);
    case 'choice':
      return node.options[1] ? placesOf(node.options[1]) : [];
    default:
      return [];
  }
}

const anchors: Readonly<Record<Place, readonly string[]>> = {
  start: [startOf(false), startOf(true)],
  end: [endOf(false), endOf(true), '$'],
};

export const hasPlace = (places: readonly string[], place: Place): boolean =>
  places.some((js) => anchors[place].includes(js));
