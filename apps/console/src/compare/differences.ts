/** What the API shows in place of a secret. */
const MASK = '********';

/** Two masked values may be the same or not: the API does not tell. */
type Kind = 'same' | 'different' | 'masked';

/** One value at the same place in two runs. A missing value is undefined. */
export interface ComparedValue {
  /** `servers[0].name` */
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
  readonly kind: Kind;
}

/** Compares two JSON values, member by member. */
export function comparedValues(left: unknown, right: unknown, path = ''): ComparedValue[] {
  const names = commonMembers(left, right);
  if (!names) return [{ path, left, right, kind: kindOf(left, right) }];
  return names.flatMap((name) =>
    comparedValues(memberOf(left, name), memberOf(right, name), pathTo(path, name, Array.isArray(left))),
  );
}

/** The names of the members of two objects, or the indexes of two arrays; undefined for other values. */
function commonMembers(left: unknown, right: unknown): string[] | undefined {
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) return undefined;
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.length === 0 ? undefined : names;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const memberOf = (value: unknown, name: string): unknown =>
  Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;

function pathTo(path: string, name: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function kindOf(left: unknown, right: unknown): Kind {
  if (left === MASK && right === MASK) return 'masked';
  return JSON.stringify(left) === JSON.stringify(right) ? 'same' : 'different';
}
