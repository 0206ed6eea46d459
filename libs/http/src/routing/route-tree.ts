import type { Method, Mount, Route } from './route';

/** Routes by their segments, built once. `T` is the compiled route. */
export interface RouteTree<T> {
  /** @param segments decoded segments of the path @returns undefined for an unknown path or method */
  find(method: Method, segments: readonly string[]): FoundRoute<T> | undefined;
}

export interface FoundRoute<T> {
  readonly target: T;
  readonly params: Readonly<Record<string, string>>;
}

interface Leaf<T> {
  readonly target: T;
  readonly names: readonly string[];
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter: Node<T> | undefined;
  readonly leaves: Map<Method, Leaf<T>>;
  /** Routes whose last segment matches the rest of the path. */
  readonly rests: Map<Method, Leaf<T>>;
}

const newNode = <T>(): Node<T> => ({ literals: new Map(), parameter: undefined, leaves: new Map(), rests: new Map() });

/** @throws a plain Error if two routes have the same path and method, which is a mistake in the program */
export function routeTree<T>(mounts: readonly Mount[], compile: (route: Route) => T): RouteTree<T> {
  const root = newNode<T>();
  for (const { prefixes, routes } of mounts) {
    for (const route of routes) {
      const target = compile(route);
      const paths = [route.path, ...(route.aliases ?? [])];
      for (const prefix of prefixes) for (const path of paths) insert(root, prefix + path, route, target);
    }
  }
  return { find: (method, segments) => search(root, method, segments, 0, []) };
}

const PARAMETER = /^\{(\w+)(\+?)\}$/;

function insert<T>(root: Node<T>, path: string, route: Route, target: T): void {
  const names: string[] = [];
  const segments = path.split('/').filter((segment) => segment !== '');
  let node = root;
  for (const [index, segment] of segments.entries()) {
    const [, name, rest] = PARAMETER.exec(segment) ?? [];
    if (name !== undefined) names.push(name);
    if (rest) {
      if (index < segments.length - 1) throw new Error(`${path}: only the last segment may match the rest of the path`);
      return place(node.rests, path, route, { target, names });
    }
    node = name === undefined ? literal(node, segment) : (node.parameter ??= newNode());
  }
  place(node.leaves, path, route, { target, names });
}

function literal<T>(node: Node<T>, segment: string): Node<T> {
  const known = node.literals.get(segment);
  if (known) return known;
  const made = newNode<T>();
  node.literals.set(segment, made);
  return made;
}

function place<T>(leaves: Map<Method, Leaf<T>>, path: string, { method }: Route, leaf: Leaf<T>): void {
  if (leaves.has(method)) throw new Error(`${method} ${path} is declared twice`);
  leaves.set(method, leaf);
}

/** Tries literals first, then parameters, then the rest of the path. */
function search<T>(
  node: Node<T>,
  method: Method,
  segments: readonly string[],
  at: number,
  values: readonly string[],
): FoundRoute<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return found(node.leaves.get(method), values);
  const next = node.literals.get(segment);
  const byLiteral = next && search(next, method, segments, at + 1, values);
  if (byLiteral) return byLiteral;
  const byParameter =
    node.parameter && segment !== '' && search(node.parameter, method, segments, at + 1, [...values, segment]);
  if (byParameter) return byParameter;
  return found(node.rests.get(method), [...values, segments.slice(at).join('/')]);
}

function found<T>(leaf: Leaf<T> | undefined, values: readonly string[]): FoundRoute<T> | undefined {
  if (!leaf) return undefined;
  const params: Record<string, string> = {};
  leaf.names.forEach((name, index) => (params[name] = values[index] ?? ''));
  return { target: leaf.target, params };
}
