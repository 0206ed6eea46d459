import { pythonRepr } from '../python-repr';
import { guardedRegExp } from '../regex';
import { numberOf, refuseSchema, report, show, type Keyword } from '../schema-site';
import { tooLong, tooShort } from './sizes';

export const minLength: Keyword = (setting, site) => {
  const limit = numberOf(setting, [...site.path, 'minLength']);
  return (value, run) => {
    if (typeof value !== 'string' || codePoints(value) >= limit) return;
    report(site, 'minLength', value, run, { message: () => `${show(site, value)} ${tooShort(limit)}` });
  };
};

export const maxLength: Keyword = (setting, site) => {
  const limit = numberOf(setting, [...site.path, 'maxLength']);
  return (value, run) => {
    if (typeof value !== 'string' || codePoints(value) <= limit) return;
    report(site, 'maxLength', value, run, { message: () => `${show(site, value)} ${tooLong(limit)}` });
  };
};

export const pattern: Keyword = (setting, site) => {
  if (typeof setting !== 'string') return refuseSchema([...site.path, 'pattern'], 'expected a text');
  const regexp = guardedRegExp(setting);
  return (value, run) => {
    if (typeof value !== 'string' || regexp.test(value)) return;
    report(site, 'pattern', value, run, {
      message: () => `${show(site, value)} does not match ${pythonRepr(setting)}`,
    });
  };
};

/** The length of a text in code points. It differs from the number of UTF-16 units only for surrogates. */
function codePoints(text: string): number {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g);
  return text.length - (pairs?.length ?? 0);
}
