import { isPlainObject } from '@switchyard/base';
import { toUid, type PackRecord } from '@switchyard/model';
import { issue, type Checked, type Issue } from '../check/issue';
import { checkShape, type ShapeFields } from '../check/shape';
import { PACK_REF, RESERVED_PACK_REF } from './find-packs';

export type PackDraft = Omit<PackRecord, '_id'>;

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;

const fields = {
  name: text,
  ref: text,
  description: text,
  version: text,
  author: text,
  email: text,
  keywords: texts,
  contributors: { type: 'array', items: { type: 'string', maxLength: 100 } },
  dependencies: texts,
  files: texts,
  stackstorm_version: text,
  python_versions: { type: 'array', items: { type: 'string', enum: ['2', '3'] }, minItems: 1, unique: true },
  system: { type: 'object' },
} as const satisfies ShapeFields;

const REQUIRED = ['name', 'description', 'version', 'author'];
const COMPUTED: readonly string[] = ['uid', 'id', 'path'];
const VERSION =
  /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[\da-z-]+(?:\.[\da-z-]+)*)?(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?$/;
const EMAIL = /^[^\s@,;<>]+@[^\s@,;<>.]+(?:\.[^\s@,;<>.]+)*$/;

/**
 * Checks the content of a `pack.yaml`. Unknown keys are kept and shown, as the interface requires.
 * @param place the pack's directory and its files
 */
export function inspectPack(
  content: unknown,
  place: { name: string; directory: string; files: string[] },
): Checked<PackDraft> {
  const given = isPlainObject(content) ? withoutNulls(content) : content;
  const issues = checkShape(given, { type: 'object', fields, required: REQUIRED, open: true });
  if (!isPlainObject(given)) return { issues };
  const known = given as unknown as PackDraft;
  const meaning = [
    ...checkRef(given, place.name),
    ...checkVersion(given.version),
    ...checkEmail(given.email),
    ...checkRange(given.stackstorm_version, place.name),
  ].filter(({ path }) => !issues.some((other) => other.path[0] === path[0]));
  if (issues.length + meaning.length > 0) return { issues: [...issues, ...meaning] };
  return { value: draftOf(known, given, place), issues: [] };
}

const withoutNulls = (content: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));

function draftOf(
  known: PackDraft,
  given: Record<string, unknown>,
  { name: ref, directory, files }: { name: string; directory: string; files: string[] },
): PackDraft {
  const other = Object.entries(given).filter(([key]) => !Object.hasOwn(fields, key) && !COMPUTED.includes(key));
  return {
    ref,
    uid: toUid('pack', ref),
    name: known.name,
    description: known.description,
    version: known.version,
    author: known.author,
    ...(known.email === undefined ? {} : { email: known.email }),
    keywords: known.keywords ?? [],
    contributors: known.contributors ?? [],
    dependencies: known.dependencies ?? [],
    files,
    python_versions: known.python_versions ?? [],
    ...(known.stackstorm_version === undefined ? {} : { stackstorm_version: known.stackstorm_version }),
    system: known.system ?? {},
    path: directory,
    ...(other.length > 0 ? { other: Object.fromEntries(other) } : {}),
  };
}

/** Runners, entry points and URLs use the directory's name, so it must be the ref. */
function checkRef({ ref, name }: Record<string, unknown>, directory: string): Issue[] {
  const wanted = typeof ref === 'string' ? ref : PACK_REF.test(directory) ? directory : name;
  if (typeof wanted !== 'string') return [];
  const field = [typeof ref === 'string' ? 'ref' : 'name'];
  if (!PACK_REF.test(wanted)) {
    const rule = 'Pack ref / name can only contain valid word characters (a-z, 0-9 and _), dashes are not allowed.';
    return [issue(field, `${rule} Got "${wanted}".`)];
  }
  if (wanted === RESERVED_PACK_REF) return [issue(field, `The pack ref "${RESERVED_PACK_REF}" is reserved.`)];
  if (wanted === directory) return [];
  return [issue(field, `The pack "${wanted}" must be in a directory of that name, not in "${directory}".`)];
}

function checkVersion(version: unknown): Issue[] {
  if (typeof version !== 'string' || VERSION.test(version)) return [];
  const valid = 'Valid versions and formats include: 0.1.0, 0.2.1, 1.1.0, etc.';
  return [issue(['version'], `Pack version "${version}" doesn't follow a valid semver format. ${valid}`)];
}

function checkEmail(email: unknown): Issue[] {
  if (typeof email !== 'string' || email === '' || EMAIL.test(email)) return [];
  return [issue(['email'], `Invalid email address: "${email}"`)];
}

function checkRange(range: unknown, pack: string): Issue[] {
  if (typeof range !== 'string') return [];
  const fits = isInRange(range);
  if (fits) return [];
  const reason =
    fits === undefined
      ? `"${range}" is not a range of versions such as ">=3.0.0, <4.0.0"`
      : `Pack "${pack}" requires StackStorm "${range}", but the version this system is compatible with is ${COMPATIBLE_VERSION}`;
  return [issue(['stackstorm_version'], reason)];
}

/** The StackStorm version that this product is compatible with. Packs may require a range of it. */
export const COMPATIBLE_VERSION = '3.9.0';

const PART = /^(>=|<=|>|<|=)\s*(\d+)\.(\d+)\.(\d+)$/;

const tests: Readonly<Record<string, (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
  '=': (order) => order === 0,
};

/**
 * Whether `version` is in a range such as `>=3.0.0, <4.0.0`.
 * @returns undefined when the text is not a range
 */
export function isInRange(range: string, version = COMPATIBLE_VERSION): boolean | undefined {
  const parts = range
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => PART.exec(part));
  if (parts.length === 0 || parts.includes(null)) return undefined;
  const own = version.split('.').map(Number);
  return parts.every((match) => {
    const [, operator = '', ...wanted] = match as RegExpExecArray;
    return tests[operator]?.(compare(own, wanted.map(Number)));
  });
}

function compare(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((number, place) => number !== right[place]);
  return index < 0 ? 0 : Math.sign((left[index] ?? 0) - (right[index] ?? 0));
}
