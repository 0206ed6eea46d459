import { pythonRepr } from '../python-repr';
import { numberOf, report, show, type Keyword } from '../schema-site';

export const minimum: Keyword = (setting, site) => {
  const limit = numberOf(setting, [...site.path, 'minimum']);
  const exclusive = site.schema.exclusiveMinimum === true;
  const relation = exclusive ? 'less than or equal to' : 'less than';
  return (value, run) => {
    if (typeof value !== 'number' || value > limit || (value === limit && !exclusive)) return;
    const message = (): string => `${show(site, value)} is ${relation} the minimum of ${pythonRepr(limit)}`;
    report(site, 'minimum', value, run, { message });
  };
};

export const maximum: Keyword = (setting, site) => {
  const limit = numberOf(setting, [...site.path, 'maximum']);
  const exclusive = site.schema.exclusiveMaximum === true;
  const relation = exclusive ? 'greater than or equal to' : 'greater than';
  return (value, run) => {
    if (typeof value !== 'number' || value < limit || (value === limit && !exclusive)) return;
    const message = (): string => `${show(site, value)} is ${relation} the maximum of ${pythonRepr(limit)}`;
    report(site, 'maximum', value, run, { message });
  };
};

export const multipleOf: Keyword = (setting, site) => {
  const unit = numberOf(setting, [...site.path, 'multipleOf']);
  return (value, run) => {
    if (typeof value !== 'number' || isMultiple(value, unit)) return;
    const message = (): string => `${show(site, value)} is not a multiple of ${pythonRepr(unit)}`;
    report(site, 'multipleOf', value, run, { message });
  };
};

const isMultiple = (value: number, unit: number): boolean =>
  Number.isInteger(unit) ? value % unit === 0 : Number.isInteger(value / unit);
