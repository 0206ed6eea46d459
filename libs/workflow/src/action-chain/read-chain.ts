import { isPlainObject } from '@switchyard/base';
import type { ContextAssignment } from '../spec/model';

export interface ChainNode {
  readonly name: string;
  /** Literal, never rendered. */
  readonly ref: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly onSuccess?: string;
  readonly onFailure?: string;
  readonly publish: readonly ContextAssignment[];
  /** As written: `on-complete`, `on-success`, `on-failure`. */
  readonly notify?: Readonly<Record<string, unknown>>;
  /** The whole node as written. */
  readonly written: Readonly<Record<string, unknown>>;
}

/** A validated action chain. One node runs at a time. */
export interface ActionChain {
  readonly nodes: ReadonlyMap<string, ChainNode>;
  /** Name of the first node. */
  readonly start: string;
  readonly vars: readonly ContextAssignment[];
}

/** Reads a raw definition whose structure has been checked. */
export function readChain(raw: Readonly<Record<string, unknown>>): ActionChain {
  const nodes = rawNodes(raw).map(readNode);
  return {
    nodes: new Map(nodes.map((node) => [node.name, node])),
    start: text(raw.default) ?? firstNode(nodes) ?? '',
    vars: assignments(raw.vars),
  };
}

/** The items of `chain`; an item that is not a map is read as an empty one. */
export const rawNodes = ({ chain }: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(chain) ? chain.map((node) => (isPlainObject(node) ? node : {})) : [];

export function readNode(raw: Readonly<Record<string, unknown>>): ChainNode {
  const onSuccess = text(raw['on-success']);
  const onFailure = text(raw['on-failure']);
  return {
    name: text(raw.name) ?? '',
    ref: text(raw.ref) ?? '',
    parameters: map(raw.parameters) ?? map(raw.params) ?? {},
    ...(onSuccess !== undefined && { onSuccess }),
    ...(onFailure !== undefined && { onFailure }),
    publish: assignments(raw.publish),
    ...(isPlainObject(raw.notify) && { notify: raw.notify }),
    written: raw,
  };
}

/** The first node that no other node leads to, or else the first node. */
function firstNode(nodes: readonly ChainNode[]): string | undefined {
  const named = new Set(nodes.flatMap(({ onSuccess, onFailure }) => [onSuccess, onFailure]));
  return (nodes.find(({ name }) => !named.has(name)) ?? nodes[0])?.name;
}

/** An empty text counts as absent. */
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const map = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  isPlainObject(value) && Object.keys(value).length > 0 ? value : undefined;

const assignments = (value: unknown): readonly ContextAssignment[] =>
  Object.entries(map(value) ?? {}).map(([name, given]) => ({ name, value: given }));
