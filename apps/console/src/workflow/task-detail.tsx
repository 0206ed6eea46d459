import { Box, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ExecutionRow, ShownExecution } from '../api/client';
import { execution } from '../api/queries';
import { JsonValue } from '../shared/json-value';
import { StatusBadge } from '../shared/status-badge';
import { Duration } from '../shared/times';
import { RerunTask } from './rerun-task';
import type { ShownTask } from './task-progress';

const MOST_EXECUTIONS = 50;

interface TaskDetailProps {
  /** The workflow. */
  readonly of: ShownExecution;
  readonly task: ShownTask;
  readonly executions: readonly ExecutionRow[];
}

/** One task of a run: its action, input and result. */
export function TaskDetail({ of, task, executions }: TaskDetailProps) {
  const last = executions.at(-1);
  return (
    <Stack gap="sm" component="section" aria-label={`Task ${task.id}`}>
      <Title order={2}>{task.id}</Title>
      <Text size="sm" c="dimmed">
        {describe(task)}
      </Text>
      <RerunTask of={of} task={task} />
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {executions.slice(0, MOST_EXECUTIONS).map((each) => (
          <li key={each.id} style={{ height: 36 }}>
            <Link to={`/history/${each.id}`} className="row-link">
              <StatusBadge status={each.status} />
              <Text size="sm" className="visually-clipped" style={{ flexGrow: 1 }}>
                {each.action?.ref}
              </Text>
              <Text size="sm" c="dimmed">
                <Duration of={each} />
              </Text>
            </Link>
          </li>
        ))}
      </Box>
      {executions.length > MOST_EXECUTIONS && (
        <Text size="sm" c="dimmed">
          {executions.length - MOST_EXECUTIONS} more are on the Tasks tab.
        </Text>
      )}
      {last && <LastExecution id={last.id} />}
    </Stack>
  );
}

function describe({ action, join, with_items: hasItems, runs }: ShownTask): string {
  const parts = [
    action ? `Runs ${action}` : 'Runs no action',
    ...(hasItems ? ['once for each item'] : []),
    ...(join === undefined ? [] : [join === 'all' ? 'waits for all branches' : `waits for ${join} branches`]),
    ...(runs.length > 1 ? [`has run ${runs.length} times`] : []),
  ];
  return `${parts.join(', ')}.`;
}

function LastExecution({ id }: { id: string }) {
  const { data } = useQuery(execution(id));
  if (!data) return null;
  return (
    <>
      <Title order={3}>Input</Title>
      <JsonValue value={data.parameters} label="input" />
      <Title order={3}>Result</Title>
      <JsonValue value={data.result} label="result" />
    </>
  );
}
