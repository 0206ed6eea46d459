import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconRefresh } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { answerTo, apiClient, type ShownExecution } from '../api/client';
import { Permitted, uidsOfExecution } from '../session/permissions';
import { hasEnded } from '../shared/status-badge';
import type { ShownTask } from './task-progress';

interface RerunTaskProps {
  readonly of: Pick<ShownExecution, 'id' | 'status' | 'action'>;
  readonly task: ShownTask;
}

/** Runs an ended workflow again from one of its tasks, with the values that the tasks before it have published. */
export function RerunTask({ of: { id, status, action }, task }: RerunTaskProps) {
  const navigate = useNavigate();
  const rerun = useMutation({
    mutationFn: (reset: boolean) => {
      const body = { tasks: [task.id], reset: reset ? [task.id] : [] };
      return answerTo(apiClient.POST('/api/v1/executions/{id}/re_run', { params: { path: { id } }, body }));
    },
    onSuccess: ({ id: started }) => navigate(`/history/${started}`),
  });
  if (!hasEnded(status) || task.runs.length === 0) return null;
  const isPartial = task.with_items && task.status !== 'succeeded';
  return (
    <Permitted permission="execution_rerun" on={uidsOfExecution(id, action.ref)} to={t`run it again from this task`}>
      <Group gap="xs">
        <Rerun label={t`Run again from here`} isPending={rerun.isPending} onClick={() => rerun.mutate(true)} />
        {isPartial && (
          <Rerun label={t`Only items that failed`} isPending={rerun.isPending} onClick={() => rerun.mutate(false)} />
        )}
      </Group>
    </Permitted>
  );
}

const Rerun = ({ label, isPending, onClick }: { label: string; isPending: boolean; onClick: () => void }) => (
  <Button
    size="xs"
    variant="default"
    leftSection={<IconRefresh size={14} aria-hidden />}
    disabled={isPending}
    onClick={onClick}
  >
    {label}
  </Button>
);
