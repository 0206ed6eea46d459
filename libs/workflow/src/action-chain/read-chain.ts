import { isPlainObject } from '@switchyard/base';
import type { Assignment } from '../spec/model';
import type { ActionChain, ChainNode } from './model';

/** The chain that a raw definition of sound shape amounts to. */
export function readChain(raw: Readonly<Record<string, unknown>>): ActionChain {
  const nodes = rawNodes(raw).map(readNode);
  return {
    nodes: new Map(nodes.map((node) => [node.name, node])),
    start: text(raw.default) ?? firstNode(nodes) ?? '',
    vars: assignments(raw.vars),
  };
}

/** The items of `chain`, one for one; an item that is no map is read as an empty one. */
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

/** The first node that no other leads to, else the first. */
function firstNode(nodes: readonly ChainNode[]): string | undefined {
  const named = new Set(nodes.flatMap(({ onSuccess, onFailure }) => [onSuccess, onFailure]));
  return (nodes.find(({ name }) => !named.has(name)) ?? nodes[0])?.name;
}

/** An empty text is none. */
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const map = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  isPlainObject(value) && Object.keys(value).length > 0 ? value : undefined;

const assignments = (value: unknown): readonly Assignment[] =>
  Object.entries(map(value) ?? {}).map(([name, given]) => ({ name, value: given }));
