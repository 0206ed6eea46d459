import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ExecutionRow, ShownExecution } from '../api/client';
import { execution } from '../api/queries';
import { JsonValue } from '../shared/json-value';
import { StatusBadge } from '../shared/status-badge';
import { Duration } from '../shared/times';
import { usePageState } from '../shared/use-page-state';
import { RerunTask } from './rerun-task';
import { lastRun, type ShownTask } from './task-progress';
import { TaskVariables } from './task-variables';

const MOST_EXECUTIONS = 50;

interface TaskDetailProps {
  /** The workflow. */
  readonly of: ShownExecution;
  readonly task: ShownTask;
  readonly executions: readonly ExecutionRow[];
}

/** One task of a workflow: its action and, of one run, input, result and variables. The address names the run; the last one by default. */
export function TaskDetail({ of, task, executions: all }: TaskDetailProps) {
  const [state, change] = usePageState();
  const run = task.runs.find(({ task_execution_id: id }) => id === state.get('run')) ?? lastRun(task);
  const isChosen = run !== undefined && task.runs.length > 1;
  const executions = isChosen ? all.filter((each) => each.task_execution === run.task_execution_id) : all;
  const last = executions.at(-1);
  return (
    <Stack gap="sm" component="section" aria-label={t`Task ${task.id}`}>
      <Title order={2}>{task.id}</Title>
      <Text size="sm" c="dimmed">
        {describe(task)}
      </Text>
      <RerunTask of={of} task={task} />
      {isChosen && (
        <NativeSelect
          size="xs"
          label={t`Run`}
          value={run.task_execution_id}
          onChange={(event) => change({ run: event.currentTarget.value })}
          data={task.runs.map(({ task_execution_id: value, status }, at) => ({
            value,
            label: `${t`${at + 1} of ${task.runs.length}`}${status === null ? '' : `, ${status}`}`,
          }))}
        />
      )}
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
          <Trans>{executions.length - MOST_EXECUTIONS} more are on the Tasks tab.</Trans>
        </Text>
      )}
      {last && <LastExecution id={last.id} />}
      {run && <TaskVariables id={of.id} run={run.task_execution_id} />}
    </Stack>
  );
}

function describe({ action, join, with_items: hasItems, runs }: ShownTask): string {
  const parts = [
    action ? t`Runs ${action}` : t`Runs no action`,
    ...(hasItems ? [t`once for each item`] : []),
    ...(join === undefined ? [] : [join === 'all' ? t`waits for all branches` : t`waits for ${join} branches`]),
    ...(runs.length > 1 ? [t`has run ${runs.length} times`] : []),
  ];
  return `${parts.join(', ')}.`;
}

function LastExecution({ id }: { id: string }) {
  const { data } = useQuery(execution(id));
  if (!data) return null;
  return (
    <>
      <Title order={3}>
        <Trans>Input</Trans>
      </Title>
      <JsonValue value={data.parameters} label={t`input`} />
      <Title order={3}>
        <Trans>Result</Trans>
      </Title>
      <JsonValue value={data.result} label={t`result`} />
    </>
  );
}
