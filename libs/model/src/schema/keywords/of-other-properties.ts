import { isPlainObject } from '@switchyard/base';
import { pythonRepr } from '../python-repr';
import { guardedRegExp, type GuardedRegExp } from '../regex';
import { report, subschemaOf, type Keyword, type SchemaSite } from '../schema-site';
import { descend } from '../violation';

export const patternProperties: Keyword = (setting, site) => {
  const given = subschemaOf(setting, [...site.path, 'patternProperties']);
  const checks = Object.entries(given).map(([pattern, schema]) => ({
    regexp: guardedRegExp(pattern),
    check: site.below(schema, ['patternProperties', pattern]),
  }));
  return (value, run) => {
    if (!isPlainObject(value)) return;
    for (const { regexp, check } of checks) {
      for (const name of Object.keys(value)) if (regexp.test(name)) descend(check, value[name], name, run);
    }
  };
};

/** Properties that match neither `properties` nor a pattern. */
export const additionalProperties: Keyword = (setting, site) => {
  if (setting === true || setting === undefined) return undefined;
  const isExtra = extraName(site);
  const check = isPlainObject(setting) ? site.below(setting, ['additionalProperties']) : undefined;
  const { patternProperties: patterns } = site.schema;
  return (value, run) => {
    if (!isPlainObject(value)) return;
    const extra = Object.keys(value).filter(isExtra);
    if (check) extra.forEach((name) => descend(check, value[name], name, run));
    else if (extra.length > 0) {
      const message = (): string => (patterns ? unmatched(extra, Object.keys(patterns)) : unexpected(extra));
      report(site, 'additionalProperties', value, run, { message });
    }
  };
};

function extraName({ schema, path }: SchemaSite): (name: string) => boolean {
  const known = new Set(Object.keys(subschemaOf(schema.properties ?? {}, path)));
  const patterns: readonly GuardedRegExp[] = Object.keys(subschemaOf(schema.patternProperties ?? {}, path)).map(
    (pattern) => guardedRegExp(pattern),
  );
  return (name) => !known.has(name) && !patterns.some((pattern) => pattern.test(name));
}

function unexpected(names: readonly string[]): string {
  const listed = names.toSorted().map(pythonRepr).join(', ');
  return `Additional properties are not allowed (${listed} ${names.length === 1 ? 'was' : 'were'} unexpected)`;
}

function unmatched(names: readonly string[], patterns: readonly string[]): string {
  const [listed, regexes] = [names, patterns].map((texts) => texts.toSorted().map(pythonRepr).join(', '));
  return `${listed} ${names.length === 1 ? 'does' : 'do'} not match any of the regexes: ${regexes}`;
}
