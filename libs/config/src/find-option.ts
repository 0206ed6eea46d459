import { closestName } from './closest-name';
import { isLegacy, type Option } from './option';
import { optionSections } from './option-table';

/** What a `section.option` name, as somebody wrote it, stands for. */
export type Found =
  | { readonly kind: 'option'; readonly section: string; readonly name: string; readonly option: Option<unknown> }
  | { readonly kind: 'alias'; readonly section: string; readonly name: string; readonly option: Option<unknown> }
  | { readonly kind: 'legacy'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly warning: string };

/** Looks a name up in the option table; case does not matter, dashes count as underscores. */
export function findOption(sectionName: string, optionName: string): Found {
  const section = sectionKeys.get(normal(sectionName)) ?? normal(sectionName);
  const name = normal(optionName);
  const entry = entryOf(section, name);
  if (entry && isLegacy(entry)) return { kind: 'legacy', reason: entry.reason };
  if (entry) return { kind: 'option', section, name, option: entry };
  return aliases.get(`${section}.${name}`) ?? unknown(section, name);
}

const normal = (name: string): string => name.trim().toLowerCase().replaceAll('-', '_');

const sectionKeys = new Map(Object.keys(optionSections).map((section) => [section.toLowerCase(), section]));

const aliases = new Map<string, Found>(
  Object.entries(optionSections).flatMap(([section, options]) =>
    Object.entries(options).flatMap(([name, option]) =>
      isLegacy(option)
        ? []
        : (option.aliases ?? []).map((alias): [string, Found] => [alias, { kind: 'alias', section, name, option }]),
    ),
  ),
);

function entryOf(section: string, name: string) {
  const options = ownValue(optionSections, section);
  return options && ownValue(options, name);
}

const ownValue = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

function unknown(section: string, name: string): Found {
  const options = ownValue(optionSections, section);
  if (!options) return unknownName(`section [${section}]`, closestName(section, Object.keys(optionSections)));
  const near = closestName(name, Object.keys(options));
  return unknownName(`option ${section}.${name}`, near && `${section}.${near}`);
}

function unknownName(what: string, near: string | undefined): Found {
  const hint = near ? ` Did you mean ${near}?` : '';
  return { kind: 'unknown', warning: `Configuration: unknown ${what} is ignored.${hint}` };
}
