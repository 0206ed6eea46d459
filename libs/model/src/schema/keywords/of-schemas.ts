import { pythonRepr } from '../python-repr';
import { refuseSchema, report, show, type Keyword, type SchemaSite } from '../schema-site';
import { runBeside, type Check, type ValidationRun, type Violation } from '../violation';

export const allOf: Keyword = (setting, site) => {
  const checks = branches('allOf', setting, site);
  return (value, run) => checks.forEach((check) => check(value, run));
};

export const anyOf: Keyword = (setting, site) => {
  const checks = branches('anyOf', setting, site);
  return (value, run) => {
    const context: Violation[] = [];
    for (const check of checks) {
      const found = violationsOf(check, value, run);
      if (found.length === 0) return;
      context.push(...found);
    }
    report(site, 'anyOf', value, run, { message: () => `${show(site, value)} ${UNDER_NONE}`, context });
  };
};

export const oneOf: Keyword = (setting, site) => {
  const checks = branches('oneOf', setting, site);
  const schemas = setting as readonly unknown[];
  return (value, run) => {
    const found = checks.map((check) => violationsOf(check, value, run));
    const valid = schemas.filter((_, index) => found[index]?.length === 0);
    if (valid.length === 1) return;
    const [first, ...others] = valid;
    if (others.length === 0) {
      report(site, 'oneOf', value, run, { message: () => `${show(site, value)} ${UNDER_NONE}`, context: found.flat() });
    } else {
      const listed = (): string => [...others, first].map(pythonRepr).join(', ');
      report(site, 'oneOf', value, run, { message: () => `${show(site, value)} is valid under each of ${listed()}` });
    }
  };
};

export const not: Keyword = (setting, site) => {
  const check = site.below(setting, ['not']);
  return (value, run) => {
    if (violationsOf(check, value, run).length > 0) return;
    const message = (): string => `${show(site, value)} should not be valid under ${pythonRepr(setting)}`;
    report(site, 'not', value, run, { message });
  };
};

const UNDER_NONE = 'is not valid under any of the given schemas';

function branches(keyword: string, setting: unknown, site: SchemaSite): Check[] {
  if (!Array.isArray(setting))
    return refuseSchema([...site.path, keyword], `expected a list, got ${pythonRepr(setting)}`);
  return setting.map((schema, index) => site.below(schema, [keyword, index]));
}

function violationsOf(check: Check, value: unknown, beside: ValidationRun): readonly Violation[] {
  const run = runBeside(beside);
  check(value, run);
  return run.violations;
}
