import { t } from '@lingui/core/macro';
import '@xyflow/react/dist/style.css';
import { Loader, useComputedColorScheme } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Background, Controls, MarkerType, ReactFlow, useReactFlow, type Edge, type Node } from '@xyflow/react';
import { useEffect, useMemo } from 'react';
import type { ExecutionRow, ShownGraph } from '../api/client';
import { durationText } from '../shared/times';
import { layoutOf, NODE_HEIGHT, NODE_WIDTH, type Positions } from './graph-layout';
import { TaskBox, type TaskBoxData } from './task-box';
import { itemProgress, lastRun, type ShownTask } from './task-progress';

interface WorkflowGraphProps {
  readonly graph: ShownGraph;
  readonly executions: ReadonlyMap<string, readonly ExecutionRow[]>;
  readonly selected: string | undefined;
  readonly onSelect: (task: string) => void;
  /** Whether it shows a definition and not a run: actions in place of statuses, and the conditions of transitions. */
  readonly isPlan?: boolean;
}

const NODE_TYPES = { task: TaskBox };

/** The tasks of a workflow run with their statuses, and the transitions that were taken; or those of a definition. */
export function WorkflowGraph({ graph, executions, selected, onSelect, isPlan = false }: WorkflowGraphProps) {
  const colorMode = useComputedColorScheme('light');
  const positions = usePositions(graph);
  const nodes = useMemo(
    () => (positions ? nodesOf(graph, { positions, executions, selected, onSelect, isPlan }) : []),
    [graph, positions, executions, selected, onSelect, isPlan],
  );
  const edges = useMemo(() => edgesOf(graph, isPlan), [graph, isPlan]);
  if (!positions) return <Loader aria-label={t`Arranging the tasks`} />;
  return (
    <div className="workflow-graph" role="region" aria-label={t`Graph of the workflow`}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        colorMode={colorMode}
        fitView
        fitViewOptions={FIT}
        minZoom={0.05}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements
        proOptions={{ hideAttribution: true }}
        ariaLabelConfig={CONTROLS}
      >
        <Background />
        <Controls showInteractive={false} />
        {isPlan && <FitView to={positions} />}
      </ReactFlow>
    </div>
  );
}

const FIT = { maxZoom: 1 };

/** The texts of the library. */
const CONTROLS = {
  'controls.ariaLabel': t`Control Panel`,
  'controls.zoomIn.ariaLabel': t`Zoom In`,
  'controls.zoomOut.ariaLabel': t`Zoom Out`,
  'controls.fitView.ariaLabel': t`Fit View`,
};

/** Shows the whole graph again after its shape has changed. */
function FitView({ to: positions }: { to: Positions }) {
  const { fitView } = useReactFlow();
  useEffect(() => void fitView(FIT), [fitView, positions]);
  return null;
}

/** Positions depend only on the shape of the workflow, so status changes do not move tasks. */
function usePositions(graph: ShownGraph): Positions | undefined {
  const nodes = graph.nodes.map(({ id }) => id);
  const edges = graph.edges.map(({ from, to }) => [from, to]);
  const { data } = useQuery({
    queryKey: ['layout', nodes, edges],
    queryFn: () => layoutOf(graph),
    staleTime: Infinity,
    // Tasks that are new in the shape are shown once they have a place.
    placeholderData: keepPreviousData,
  });
  return data;
}

interface DrawnGraph extends Omit<Required<WorkflowGraphProps>, 'graph'> {
  readonly positions: Positions;
}

function nodesOf(
  graph: ShownGraph,
  { positions, executions, selected, onSelect, isPlan }: DrawnGraph,
): Node<TaskBoxData>[] {
  const placed = graph.nodes.filter(({ id }) => positions.has(id));
  return placed.map((task) => ({
    id: task.id,
    type: 'task',
    position: positions.get(task.id)!,
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
    data: {
      task,
      progress: itemProgress(task, executions.get(task.id)),
      isSelected: task.id === selected,
      isPlan,
      onSelect: () => onSelect(task.id),
    },
  }));
}

function edgesOf({ nodes, edges }: ShownGraph, isPlan: boolean): Edge[] {
  const tasks = new Map(nodes.map((task) => [task.id, task]));
  return edges.map(({ from, to, taken, when }, index) => {
    const label = isPlan ? conditionOf(when) : takenText(taken, tasks.get(from), tasks.get(to));
    return {
      id: `e${index}`,
      source: from,
      target: to,
      markerEnd: { type: MarkerType.ArrowClosed },
      className: taken > 0 || isPlan ? 'edge-taken' : 'edge-open',
      ...(label !== undefined && { label }),
    };
  });
}

/** A task that starts this soon after another one has not waited. */
const SOON_SECONDS = 0.1;

/** How often a transition was taken; if once, how long the next task waited after the end of this one, if it did. */
function takenText(taken: number, from: ShownTask | undefined, to: ShownTask | undefined): string | undefined {
  if (taken !== 1) return taken > 1 ? t`${taken} times` : undefined;
  const [before, after] = [from && lastRun(from), to?.runs[0]];
  if (!before?.end_timestamp || !after || to?.runs.length !== 1) return undefined;
  const seconds = (Date.parse(after.start_timestamp) - Date.parse(before.end_timestamp)) / 1000;
  return seconds < SOON_SECONDS ? undefined : t`after ${durationText(seconds)}`;
}

const LONGEST_LABEL = 24;

/** A condition without its delimiters, cut off if it is long. */
function conditionOf(when: string | undefined): string | undefined {
  const inner = when?.replace(/^\s*(<%|\{\{)\s*|\s*(%>|\}\})\s*$/g, '');
  return inner !== undefined && inner.length > LONGEST_LABEL ? `${inner.slice(0, LONGEST_LABEL)}…` : inner;
}
