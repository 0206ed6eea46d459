import { compare, inc, parse, type SemVer } from 'semver';
import { operation, type NamedOperations } from '../run/operation';
import { JinjaError } from '../values/jinja-error';
import { toText } from '../values/text';

const compared = (value: unknown, other: unknown): number => compare(version(value), version(other));
const bump = (part: 'major' | 'minor' | 'patch') => operation([], (value) => bumped(version(value), part));

/** Filters over semantic versions. */
export const versionFilters: NamedOperations = {
  version_compare: operation(['pattern'], (value, _run, other) => compared(value, other), 1),
  version_more_than: operation(['pattern'], (value, _run, other) => compared(value, other) > 0, 1),
  version_less_than: operation(['pattern'], (value, _run, other) => compared(value, other) < 0, 1),
  version_equal: operation(['pattern'], (value, _run, other) => compared(value, other) === 0, 1),
  version_match: operation(['pattern'], (value, _run, expression) => versionMatch(value, toText(expression)), 1),
  version_bump_major: bump('major'),
  version_bump_minor: bump('minor'),
  version_bump_patch: bump('patch'),
  version_strip_patch: operation([], (value) => `${version(value).major}.${version(value).minor}`),
};

/** Strict: no leading `v`, three numbers. */
function version(value: unknown): SemVer {
  const text = toText(value);
  const parsed = /^\d/.test(text) && text.trim() === text ? parse(text) : null;
  if (parsed === null) throw new JinjaError('ValueError', `${text} is not valid SemVer string`);
  return parsed;
}

/** The part counts up and the rest goes, pre-release included: 1.0.0-rc1 gives 1.0.1. */
function bumped(value: SemVer, part: 'major' | 'minor' | 'patch'): string {
  return inc(`${value.major}.${value.minor}.${value.patch}`, part) ?? value.version;
}

const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
};

function versionMatch(value: unknown, expression: string): boolean {
  const [, operator = '==', other] = /^(>=|<=|==|!=|>|<)?(.*)$/s.exec(expression) ?? [];
  const holds = OPERATORS[operator];
  return holds !== undefined && holds(compared(value, other ?? ''));
}
