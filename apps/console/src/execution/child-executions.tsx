import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ExecutionRow } from '../api/client';
import { childrenOf } from '../api/queries';
import { Failure } from '../frame/error-page';
import { StatusBadge } from '../shared/status-badge';
import { Duration } from '../shared/times';

/** The executions that a workflow has requested, in the order of their start. */
export function ChildExecutions({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(childrenOf(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  if (data.length === 0)
    return (
      <Text c="dimmed">
        <Trans>No task has started yet.</Trans>
      </Text>
    );
  return (
    <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {data.map((row, index) => (
        <li key={row.id} style={{ height: 40 }}>
          <Link to={`/history/${row.id}`} className="row-link" data-list-row={index}>
            <Box w={120} style={{ flexShrink: 0 }}>
              <StatusBadge status={row.status} />
            </Box>
            <Text size="sm" fw={500} className="visually-clipped" style={{ flexGrow: 1 }}>
              {taskName(row) ?? row.action?.ref ?? row.id}
            </Text>
            <Text size="sm" c="dimmed" visibleFrom="sm" className="visually-clipped">
              {row.action?.ref}
            </Text>
            <Text size="sm" c="dimmed" w={90} ta="right" style={{ flexShrink: 0 }}>
              <Duration of={row} />
            </Text>
          </Link>
        </li>
      ))}
    </Box>
  );
}

interface TaskContext {
  readonly orquesta?: { readonly task_name?: string; readonly item_id?: number };
  readonly chain?: { readonly name?: string };
}

/** The task of a workflow that requested an execution. */
export function taskNameOf({ context }: Pick<ExecutionRow, 'context'>): string | undefined {
  const { orquesta, chain } = (context ?? {}) as TaskContext;
  return orquesta?.task_name ?? chain?.name;
}

/** The same, with its number if the task has items. */
export function taskName(execution: Pick<ExecutionRow, 'context'>): string | undefined {
  const { orquesta } = (execution.context ?? {}) as TaskContext;
  const name = taskNameOf(execution);
  return orquesta?.item_id === undefined ? name : `${name} [${orquesta.item_id}]`;
}
