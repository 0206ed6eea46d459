import { isPlainObject } from '@switchyard/base';
import { hasProperty } from '../json-types';
import { pythonRepr } from '../python-repr';
import { numberOf, report, subschemaOf, show, type Keyword, type SchemaSite } from '../schema-site';
import { descend, type Check, type Schema } from '../violation';

/** `required: true` is part of the property's own schema. */
export const properties: Keyword = (setting, site) => {
  const entries = Object.entries(subschemaOf(setting, [...site.path, 'properties'])).map(([name, given]) => {
    const schema = subschemaOf(given, [...site.path, 'properties', name]);
    const none = site.allowNone ? { nullable: admitsNone(schema), allowNone: hasProperties(schema) } : {};
    return { name, required: schema.required === true, check: site.below(schema, ['properties', name], none) };
  });
  return (value, run) => {
    if (!isPlainObject(value)) return;
    for (const { name, required, check } of entries) {
      if (hasProperty(value, name)) descend(check, value[name], name, run);
      else if (required) report(site, 'required', value, run, { message: () => missing(name), step: name });
    }
  };
};

const missing = (name: string): string => `${pythonRepr(name)} is a required property`;

/** The list form of draft 4; the boolean form is handled by the enclosing schema. */
export const required: Keyword = (setting, site) => {
  if (!Array.isArray(setting)) return undefined;
  const names = setting.map(String);
  return (value, run) => {
    if (!isPlainObject(value)) return;
    for (const name of names) {
      if (!hasProperty(value, name)) report(site, 'required', value, run, { message: () => missing(name) });
    }
  };
};

export const minProperties: Keyword = (setting, site) => {
  const limit = numberOf(setting, [...site.path, 'minProperties']);
  const complaint = limit === 1 ? 'should be non-empty' : 'does not have enough properties';
  return (value, run) => {
    if (!isPlainObject(value) || Object.keys(value).length >= limit) return;
    report(site, 'minProperties', value, run, { message: () => `${show(site, value)} ${complaint}` });
  };
};

export const maxProperties: Keyword = (setting, site) => {
  const limit = numberOf(setting, [...site.path, 'maxProperties']);
  const complaint = limit === 0 ? 'is expected to be empty' : 'has too many properties';
  return (value, run) => {
    if (!isPlainObject(value) || Object.keys(value).length <= limit) return;
    report(site, 'maxProperties', value, run, { message: () => `${show(site, value)} ${complaint}` });
  };
};

export const dependenciesKeyword: Keyword = (setting, site) => {
  const given = subschemaOf(setting, [...site.path, 'dependencies']);
  const checks = Object.entries(given).map(([name, dependency]): [string, Check] => [
    name,
    isPlainObject(dependency) ? site.below(dependency, ['dependencies', name]) : needs(name, dependency, site),
  ]);
  return (value, run) => {
    if (!isPlainObject(value)) return;
    for (const [name, check] of checks) if (hasProperty(value, name)) check(value, run);
  };
};

function needs(name: string, dependency: unknown, site: SchemaSite): Check {
  const others = (Array.isArray(dependency) ? dependency : [dependency]).map(String);
  return (value, run) => {
    for (const other of others) {
      if (hasProperty(value as Record<string, unknown>, other)) continue;
      const message = (): string => `${pythonRepr(other)} is a dependency of ${pythonRepr(name)}`;
      report(site, 'dependencies', value, run, { message });
    }
  };
}

/** As in StackStorm, optional properties accept null in objects of declared types that consist of properties, and in lists of such objects. */
function hasProperties({ type, items, ...schema }: Schema): boolean {
  const types = [type].flat();
  const isList = types.includes('array') && isPlainObject(items) && isPlainObject(items['properties']);
  return isList || (types.includes('object') && isPlainObject(schema.properties));
}

/**
 * Whether a property accepts null when "none" is allowed: it has no default or a null default, and is optional (a null default
 * also satisfies a required property).
 */
function admitsNone(schema: Schema): boolean {
  const optional = schema.required !== true;
  return (schema.default ?? null) === null && (optional || 'default' in schema);
}
