import '@xyflow/react/dist/style.css';
import { Loader, useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Background, Controls, MarkerType, ReactFlow, type Edge, type Node } from '@xyflow/react';
import { useMemo } from 'react';
import type { ExecutionRow, ShownGraph } from '../api/client';
import { layoutOf, NODE_HEIGHT, NODE_WIDTH, type Positions } from './graph-layout';
import { TaskBox, type TaskBoxData } from './task-box';
import { itemProgress } from './task-progress';

interface WorkflowGraphProps {
  readonly graph: ShownGraph;
  readonly executions: ReadonlyMap<string, readonly ExecutionRow[]>;
  readonly selected: string | undefined;
  readonly onSelect: (task: string) => void;
}

const NODE_TYPES = { task: TaskBox };

/** The tasks of a workflow run with their statuses, and the transitions that were taken. */
export function WorkflowGraph({ graph, executions, selected, onSelect }: WorkflowGraphProps) {
  const colorMode = useComputedColorScheme('light');
  const positions = usePositions(graph);
  const nodes = useMemo(
    () => (positions ? nodesOf(graph, { positions, executions, selected, onSelect }) : []),
    [graph, positions, executions, selected, onSelect],
  );
  const edges = useMemo(() => edgesOf(graph), [graph]);
  if (!positions) return <Loader aria-label="Arranging the tasks" />;
  return (
    <div className="workflow-graph" role="region" aria-label="Graph of the workflow">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        colorMode={colorMode}
        fitView
        fitViewOptions={{ maxZoom: 1 }}
        minZoom={0.05}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

/** Positions depend only on the shape of the workflow, so status changes do not move tasks. */
function usePositions(graph: ShownGraph): Positions | undefined {
  const nodes = graph.nodes.map(({ id }) => id);
  const edges = graph.edges.map(({ from, to }) => [from, to]);
  const { data } = useQuery({
    queryKey: ['layout', nodes, edges],
    queryFn: () => layoutOf(graph),
    staleTime: Infinity,
  });
  return data;
}

function nodesOf(
  graph: ShownGraph,
  { positions, executions, selected, onSelect }: Omit<WorkflowGraphProps, 'graph'> & { positions: Positions },
): Node<TaskBoxData>[] {
  return graph.nodes.map((task) => ({
    id: task.id,
    type: 'task',
    position: positions.get(task.id) ?? { x: 0, y: 0 },
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
    data: {
      task,
      progress: itemProgress(task, executions.get(task.id)),
      isSelected: task.id === selected,
      onSelect: () => onSelect(task.id),
    },
  }));
}

const edgesOf = ({ edges }: ShownGraph): Edge[] =>
  edges.map(({ from, to, taken }, index) => ({
    id: `e${index}`,
    source: from,
    target: to,
    markerEnd: { type: MarkerType.ArrowClosed },
    className: taken > 0 ? 'edge-taken' : 'edge-open',
    ...(taken > 1 ? { label: `${taken} times` } : {}),
  }));
