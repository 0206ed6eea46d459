import { literalPattern } from './characters';
import type { PatternSource } from './pattern-source';

/** A literal outside of a class. */
export function literalIn(source: PatternSource, char: string): string {
  const all = membersIn(source, char);
  return all === literalPattern(char) ? all : `[${all}]`;
}

/** A literal as members of a class, with its other cases if the pattern has to spell them. */
export function membersIn(source: PatternSource, char: string): string {
  if (!spells(source)) return literalPattern(char);
  return others([char]).reduce((all, other) => all + literalPattern(other), literalPattern(char));
}

/** A range of a class. */
export function rangeIn(source: PatternSource, from: string, to: string): string {
  const range = `${literalPattern(from)}-${literalPattern(to)}`;
  if (!spells(source)) return range;
  const [first, last] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
  const inside = [...families().keys()].filter((code) => code >= first && code <= last);
  return (
    range +
    others(inside.map((code) => String.fromCodePoint(code)))
      .map((char) => literalPattern(char))
      .join('')
  );
}

const spells = ({ spellsCase, flags }: PatternSource): boolean => spellsCase && flags.has('i');

/** The other cases of characters. */
function others(chars: readonly string[]): string[] {
  const all = new Set(chars.flatMap((char) => families().get(char.codePointAt(0) ?? 0) ?? []));
  for (const char of chars) all.delete(char);
  return [...all];
}

let known: ReadonlyMap<number, readonly string[]> | undefined;

/** The characters that are the same without case, such as `k`, `K` and the Kelvin sign, by the code of each of them. */
function families(): ReadonlyMap<number, readonly string[]> {
  known ??= new Map(
    [...grouped().values()]
      .filter((family) => family.length > 1)
      .flatMap((family) => family.map((char) => [char.codePointAt(0) ?? 0, family] as const)),
  );
  return known;
}

/** No character beyond has cases. */
const LAST_CASED = 0x1ffff;

function grouped(): Map<string, string[]> {
  const byFold = new Map<string, string[]>();
  for (let code = 0; code <= LAST_CASED; code += 1) {
    const char = String.fromCodePoint(code);
    if (!/\p{Cased}/u.test(char)) continue;
    const fold = char.toUpperCase().toLowerCase();
    byFold.set(fold, [...(byFold.get(fold) ?? []), char]);
  }
  return byFold;
}
