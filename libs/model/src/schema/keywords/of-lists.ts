import { isPlainObject } from '@switchyard/base';
import { canonicalJson } from '../json-types';
import { numberOf, report, show, type Keyword } from '../schema-site';
import { descend, type Check } from '../violation';
import { tooLong, tooShort } from './sizes';

export const items: Keyword = (setting, site) => {
  if (!Array.isArray(setting)) {
    const each = site.below(setting, ['items'], { allowNone: site.allowNone });
    return (value, run) => {
      if (Array.isArray(value)) value.forEach((item, index) => descend(each, item, index, run));
    };
  }
  const checks = setting.map((schema, index) => site.below(schema, ['items', index]));
  return (value, run) => {
    if (!Array.isArray(value)) return;
    checks.slice(0, value.length).forEach((check, index) => descend(check, value[index], index, run));
  };
};

/** Only has an effect next to `items` in its list form. */
export const additionalItems: Keyword = (setting, site) => {
  const { items: listed } = site.schema;
  if (!Array.isArray(listed)) return undefined;
  const first = listed.length;
  if (isPlainObject(setting)) return eachFrom(first, site.below(setting, ['additionalItems']));
  if (setting !== false) return undefined;
  return (value, run) => {
    if (!Array.isArray(value) || value.length <= first) return;
    const extra = value.slice(first).map((item) => show(site, item));
    const message = (): string =>
      `Additional items are not allowed (${extra.join(', ')} ${extra.length === 1 ? 'was' : 'were'} unexpected)`;
    report(site, 'additionalItems', value, run, { message });
  };
};

const eachFrom =
  (first: number, check: Check): Check =>
  (value, run) => {
    if (!Array.isArray(value)) return;
    for (let index = first; index < value.length; index += 1) descend(check, value[index], index, run);
  };

export const minItems: Keyword = (setting, site) => {
  const limit = numberOf(setting, [...site.path, 'minItems']);
  return (value, run) => {
    if (!Array.isArray(value) || value.length >= limit) return;
    report(site, 'minItems', value, run, { message: () => `${show(site, value)} ${tooShort(limit)}` });
  };
};

export const maxItems: Keyword = (setting, site) => {
  const limit = numberOf(setting, [...site.path, 'maxItems']);
  return (value, run) => {
    if (!Array.isArray(value) || value.length <= limit) return;
    report(site, 'maxItems', value, run, { message: () => `${show(site, value)} ${tooLong(limit)}` });
  };
};

export const uniqueItems: Keyword = (setting, site) => {
  if (setting !== true) return undefined;
  return (value, run) => {
    if (!Array.isArray(value) || new Set(value.map(canonicalJson)).size === value.length) return;
    report(site, 'uniqueItems', value, run, { message: () => `${show(site, value)} has non-unique elements` });
  };
};
