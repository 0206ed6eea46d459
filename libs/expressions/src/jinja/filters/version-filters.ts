import type { SemVer } from 'semver';
import compare from 'semver/functions/compare';
import inc from 'semver/functions/inc';
import parse from 'semver/functions/parse';
import { filterOperation, type NamedOperations } from '../run/operation';
import { JinjaError } from '../values/jinja-error';
import { toText } from '../values/text';

const compared = (value: unknown, other: unknown): number => compare(version(value), version(other));
const bump = (part: 'major' | 'minor' | 'patch') => filterOperation([], (value) => bumped(version(value), part));

/** Filters for semantic versions. */
export const versionFilters: NamedOperations = {
  version_compare: filterOperation(['pattern'], (value, _run, other) => compared(value, other), 1),
  version_more_than: filterOperation(['pattern'], (value, _run, other) => compared(value, other) > 0, 1),
  version_less_than: filterOperation(['pattern'], (value, _run, other) => compared(value, other) < 0, 1),
  version_equal: filterOperation(['pattern'], (value, _run, other) => compared(value, other) === 0, 1),
  version_match: filterOperation(['pattern'], (value, _run, expression) => versionMatch(value, toText(expression)), 1),
  version_bump_major: bump('major'),
  version_bump_minor: bump('minor'),
  version_bump_patch: bump('patch'),
  version_strip_patch: filterOperation([], (value) => `${version(value).major}.${version(value).minor}`),
};

/** Strict: three numbers, no leading `v`. */
function version(value: unknown): SemVer {
  const text = toText(value);
  const parsed = /^\d/.test(text) && text.trim() === text ? parse(text) : null;
  if (parsed === null) throw new JinjaError('ValueError', `${text} is not valid SemVer string`);
  return parsed;
}

/** Increments a part and resets what follows, pre-release included: 1.0.0-rc1 becomes 1.0.1. */
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
