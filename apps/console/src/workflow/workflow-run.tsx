import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Grid, Loader, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import type { ExecutionRow, ShownExecution, ShownGraph } from '../api/client';
import { childrenOf, graphOf } from '../api/queries';
import { ChildExecutions } from '../execution/child-executions';
import { usePageState } from '../shared/use-page-state';
import { TaskDetail } from './task-detail';
import { executionsByTask } from './task-progress';
import { TaskTimeline } from './task-timeline';

const Graph = lazy(async () => ({ default: (await import('./workflow-graph')).WorkflowGraph }));
const Definition = lazy(async () => ({ default: (await import('./definition-view')).DefinitionView }));

const FORMS = [
  { value: 'graph', label: t`Graph` },
  { value: 'timeline', label: t`Timeline` },
  { value: 'definition', label: t`Definition` },
];

/** A workflow run, live and afterwards. The address names the view and the selected task. */
export function WorkflowRunView({ of }: { of: ShownExecution }) {
  const graph = useQuery(graphOf(of.id));
  const children = useQuery(childrenOf(of.id));
  // Workflows without a graph, such as action chains, have their tasks as a list.
  if (graph.error) return <ChildExecutions id={of.id} />;
  if (!graph.data || !children.data) return <Loader aria-label={t`Loading`} />;
  return <RunOf of={of} graph={graph.data} rows={children.data} />;
}

interface RunOfProps {
  readonly of: ShownExecution;
  readonly graph: ShownGraph;
  readonly rows: readonly ExecutionRow[];
}

function RunOf({ of, graph, rows }: RunOfProps) {
  const [state, change] = usePageState();
  const form = state.get('view') ?? 'graph';
  const selected = state.get('task') ?? undefined;
  const select = useCallback((task: string) => change({ task, run: null }), [change]);
  const executions = useMemo(() => executionsByTask(rows), [rows]);
  const task = graph.nodes.find(({ id }) => id === selected);
  return (
    <Grid gutter="md">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Box mb="sm">
          <SegmentedControl
            size="xs"
            aria-label={t`View`}
            data={FORMS}
            value={form}
            onChange={(next) => change({ view: next })}
          />
        </Box>
        <Suspense fallback={<Loader aria-label={t`Loading`} />}>
          {form === 'graph' && <Graph graph={graph} executions={executions} selected={selected} onSelect={select} />}
          {form === 'timeline' && <TaskTimeline graph={graph} selected={selected} onSelect={select} />}
          {form === 'definition' && <Definition actionRef={of.action.ref} task={selected} />}
        </Suspense>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        {task ? (
          <TaskDetail of={of} task={task} executions={executions.get(task.id) ?? []} />
        ) : (
          <Text c="dimmed">
            <Trans>Select a task to see its input, its result and its variables.</Trans>
          </Text>
        )}
      </Grid.Col>
    </Grid>
  );
}
