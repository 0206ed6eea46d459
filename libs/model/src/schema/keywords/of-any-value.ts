import { hasType, isTypeName, sameJson, typeNames } from '../json-types';
import { pythonRepr } from '../python-repr';
import { refuseSchema, report, show, showWithType, type Keyword } from '../schema-site';

export const type: Keyword = (setting, site) => {
  const given = typeNames(setting);
  const all: readonly unknown[] = Array.isArray(setting) ? setting : [setting];
  const unknown = all.find((name) => !isTypeName(name));
  if (unknown !== undefined || given.length === 0)
    refuseSchema([...site.path, 'type'], `unknown type ${pythonRepr(unknown)}`);
  const names = site.nullable && !given.includes('null') ? [...given, 'null'] : given;
  const [only] = names;
  const listed = names.map(pythonRepr).join(', ');
  return (value, run) => {
    if (names.length === 1 ? hasType(value, only as string) : names.some((name) => hasType(value, name))) return;
    report(site, 'type', value, run, { message: () => `${showWithType(site, value)} is not of type ${listed}` });
  };
};

export const enumeration: Keyword = (setting, site) => {
  if (!Array.isArray(setting))
    return refuseSchema([...site.path, 'enum'], `expected a list, got ${pythonRepr(setting)}`);
  const allowed: readonly unknown[] = setting;
  return (value, run) => {
    if (allowed.some((each) => sameJson(each, value))) return;
    report(site, 'enum', value, run, { message: () => `${show(site, value)} is not one of ${pythonRepr(allowed)}` });
  };
};

/** The compiler ensures that other keywords next to a reference are ignored. */
export const reference: Keyword = (setting, site) =>
  typeof setting === 'string' ? site.refer(setting) : refuseSchema([...site.path, '$ref'], 'expected a text');
