import ELK, { type ElkNode } from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { ShownGraph } from '../api/client';

export const NODE_WIDTH = 210;
export const NODE_HEIGHT = 58;

export type Positions = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

const elk = new ELK({ workerUrl });

/** Places tasks below those that lead to them. It runs in a worker, because large workflows take a while. */
export async function layoutOf({ nodes, edges }: Pick<ShownGraph, 'nodes' | 'edges'>): Promise<Positions> {
  const graph: ElkNode = {
    id: 'workflow',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'DOWN',
      'elk.layered.spacing.nodeNodeBetweenLayers': '48',
      'elk.spacing.nodeNode': '32',
    },
    children: nodes.map(({ id }) => ({ id, width: NODE_WIDTH, height: NODE_HEIGHT })),
    edges: edges.map(({ from, to }, index) => ({ id: `e${index}`, sources: [from], targets: [to] })),
  };
  const { children = [] } = await elk.layout(graph);
  return new Map(children.map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
}
