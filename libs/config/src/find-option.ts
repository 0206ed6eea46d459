import { isLegacy, type Option } from './option';
import { optionSections } from './option-table';

/** What a `section.option` name stands for. */
export type FoundOption =
  | { readonly kind: 'option'; readonly section: string; readonly name: string; readonly option: Option<unknown> }
  | { readonly kind: 'alias'; readonly section: string; readonly name: string; readonly option: Option<unknown> }
  | { readonly kind: 'legacy'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly what: string; readonly warning: string; readonly hint: string };

/** Looks up a name in the option table. Case does not matter, and dashes count as underscores. */
export function findOption(sectionName: string, optionName: string): FoundOption {
  const section = sectionKeys.get(normal(sectionName)) ?? normal(sectionName);
  const name = normal(optionName);
  const entry = entryOf(section, name);
  if (entry && isLegacy(entry)) return { kind: 'legacy', reason: entry.reason };
  if (entry) return { kind: 'option', section, name, option: entry };
  return aliases.get(`${section}.${name}`) ?? unknown(section, name);
}

const normal = (name: string): string => name.trim().toLowerCase().replaceAll('-', '_');

const sectionKeys = new Map(Object.keys(optionSections).map((section) => [section.toLowerCase(), section]));

const aliases = new Map<string, FoundOption>(
  Object.entries(optionSections).flatMap(([section, options]) =>
    Object.entries(options).flatMap(([name, option]) =>
      isLegacy(option)
        ? []
        : (option.aliases ?? []).map((alias): [string, FoundOption] => [
            alias,
            { kind: 'alias', section, name, option },
          ]),
    ),
  ),
);

function entryOf(section: string, name: string) {
  const options = ownValue(optionSections, section);
  return options && ownValue(options, name);
}

const ownValue = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

function unknown(section: string, name: string): FoundOption {
  const options = ownValue(optionSections, section);
  if (!options) return unknownName(`section [${section}]`, closestName(section, Object.keys(optionSections)));
  const near = closestName(name, Object.keys(options));
  return unknownName(`option ${section}.${name}`, near && `${section}.${near}`);
}

function unknownName(what: string, near: string | undefined): FoundOption {
  const hint = near ? ` Did you mean ${near}?` : '';
  return { kind: 'unknown', what, hint, warning: `Configuration: unknown ${what} is ignored.${hint}` };
}

/** The candidate closest to a mistyped name, if any is close enough. */
function closestName(name: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(name.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0] && ranked[0].distance <= limit ? ranked[0].candidate : undefined;
}

/** Levenshtein distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
