import { fault, isPlainObject } from '@switchyard/base';

/** Query parameters of routes that can return a part of a resource. */
export const attributeParameters = {
  include_attributes: { type: 'list', description: 'Attributes to return; id is always included' },
  exclude_attributes: { type: 'list', description: 'Attributes to leave out' },
} as const;

export interface AttributeRules {
  /** Attributes that may be included. If absent, all names are accepted, and unknown ones select nothing. */
  readonly known?: readonly string[];
  /** Attributes that may be excluded. Defaults to `known`. */
  readonly excludable?: readonly string[];
  /** Attributes that are always returned besides `id`, such as the `ref` of pack content. */
  readonly always?: readonly string[];
  /** Objects of which a dotted path selects a part. Of others, the whole object is returned. */
  readonly deep?: readonly string[];
}

interface Asked {
  readonly include_attributes?: readonly string[] | undefined;
  readonly exclude_attributes?: readonly string[] | undefined;
}

type View = Record<string, unknown>;

export interface AttributeSelection {
  /** Top-level attributes that are returned, undefined for all. Routes use it to choose what to read from the store. */
  readonly included: ReadonlySet<string> | undefined;
  readonly excluded: ReadonlySet<string>;
  /** Whether the attribute is returned, so that a route can skip work. */
  wants(attribute: string): boolean;
  /** The selected part of a resource. */
  apply(view: View): View;
}

/** @throws Fault `request.attributes-exclusive`, `request.include-attribute`, `request.exclude-attribute` */
export function readAttributes(asked: Asked, rules: AttributeRules = {}): AttributeSelection {
  const include = trimmed(asked.include_attributes);
  const exclude = trimmed(asked.exclude_attributes);
  if (include.length > 0 && exclude.length > 0) throw fault('request.attributes-exclusive');
  const wrongInclude = unknown(include, rules.known);
  if (wrongInclude !== undefined) throw fault('request.include-attribute', { name: shown(wrongInclude) });
  const wrongExclude = unknown(exclude, rules.excludable ?? rules.known);
  if (wrongExclude !== undefined) throw fault('request.exclude-attribute', { name: shown(wrongExclude) });
  return selection(include.filter(isName), exclude.filter(isName), rules);
}

function selection(include: readonly string[], exclude: readonly string[], rules: AttributeRules): AttributeSelection {
  const always = ['id', ...(rules.always ?? [])];
  const included = include.length > 0 ? new Set([...always, ...include.map(firstPart)]) : undefined;
  const excluded = new Set(exclude.map(firstPart).filter((name) => !always.includes(name)));
  const wants = (name: string) => (included ? included.has(name) : !excluded.has(name));
  const parts = deepParts(include, rules.deep ?? []);
  const pick = ([name, value]: [string, unknown]): [string, unknown] => {
    const paths = parts.get(name);
    return [name, paths ? selectParts(value, paths) : value];
  };
  const apply = (view: View) =>
    Object.fromEntries(
      Object.entries(view)
        .filter(([name]) => wants(name))
        .map(pick),
    );
  return { included, excluded, wants, apply };
}

const trimmed = (names: readonly string[] | undefined): string[] => (names ?? []).map((name) => name.trim());

const isName = (name: string): boolean => name !== '';

/** StackStorm's text for an empty name, which would otherwise end the sentence in the middle. */
const shown = (name: string): string => (isName(name) ? name : 'Cannot resolve field ""');

const firstPart = (path: string): string => path.split('.', 1)[0] as string;

const unknown = (paths: readonly string[], known: readonly string[] | undefined): string | undefined =>
  known && paths.find((path) => !known.includes(path) && !known.includes(firstPart(path)));

/** The paths within each deep object. An object that is requested as a whole has none. */
function deepParts(include: readonly string[], deep: readonly string[]): Map<string, string[][]> {
  const parts = new Map<string, string[][]>();
  for (const name of deep) {
    const paths = include.filter((path) => firstPart(path) === name);
    if (paths.length > 0 && !paths.includes(name))
      parts.set(
        name,
        paths.map((path) => path.split('.').slice(1)),
      );
  }
  return parts;
}

function selectParts(value: unknown, paths: readonly string[][]): unknown {
  if (!isPlainObject(value)) return value;
  const selected: View = {};
  for (const [first, ...rest] of paths) {
    if (first === undefined || !Object.hasOwn(value, first)) continue;
    const part = rest.length > 0 ? selectParts(value[first], [rest]) : value[first];
    const before = selected[first];
    selected[first] = isPlainObject(before) && isPlainObject(part) ? { ...before, ...part } : part;
  }
  return selected;
}
