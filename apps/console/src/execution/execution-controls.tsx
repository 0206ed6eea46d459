import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { Link } from 'react-router';
import { answerTo, apiClient, type ShownExecution } from '../api/client';
import { keys } from '../api/queries';
import { Permitted, uidsOfExecution, useMay } from '../session/permissions';
import { hasEnded } from '../shared/status-badge';
import { CompareWith } from './compare-with';

/** What can be done with an execution in its status. */
export function ExecutionControls({ of: { id, action, status, liveaction } }: { of: ShownExecution }) {
  const { change, cancel } = useChanges(id);
  const isWorkflow = liveaction?.action_is_workflow === true;
  const resources = uidsOfExecution(id, action.ref);
  const mayStop = useMay('execution_stop', ...resources);
  return (
    <Group gap="xs">
      {!mayStop && !hasEnded(status) && (
        <Text size="sm" c="dimmed">
          <Trans>Your roles do not permit you to cancel it (execution_stop).</Trans>
        </Text>
      )}
      {mayStop && isWorkflow && status === 'running' && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerPause size={14} aria-hidden />}
          onClick={() => change.mutate('pausing')}
        >
          <Trans>Pause</Trans>
        </Button>
      )}
      {mayStop && isWorkflow && status === 'paused' && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          onClick={() => change.mutate('resuming')}
        >
          <Trans>Resume</Trans>
        </Button>
      )}
      {mayStop && !hasEnded(status) && status !== 'canceling' && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerStop size={14} aria-hidden />}
          onClick={() => askToCancel(() => cancel.mutate())}
          loading={cancel.isPending}
        >
          <Trans>Cancel</Trans>
        </Button>
      )}
      <CompareWith id={id} actionRef={action.ref} />
      <Permitted permission="execution_rerun" on={resources} to={t`run it again`}>
        <Button
          size="xs"
          component={Link}
          to={`/actions/${action.ref}?rerun=${id}`}
          leftSection={<IconRefresh size={14} aria-hidden />}
        >
          <Trans>Run again</Trans>
        </Button>
      </Permitted>
    </Group>
  );
}

/** The requests that change an execution. */
function useChanges(id: string) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: keys.execution(id) });
  const change = useMutation({
    mutationFn: (next: 'pausing' | 'resuming') =>
      answerTo(apiClient.PUT('/api/v1/executions/{id}', { params: { path: { id } }, body: { status: next } })),
    onSettled: refresh,
  });
  const cancel = useMutation({
    mutationFn: () => answerTo(apiClient.DELETE('/api/v1/executions/{id}', { params: { path: { id } } })),
    onSettled: refresh,
  });
  return { change, cancel };
}

const askToCancel = (onConfirm: () => void) =>
  modals.openConfirmModal({
    title: t`Cancel this execution?`,
    children: (
      <Text size="sm">
        <Trans>Work that is already done is not undone. Running tasks are canceled.</Trans>
      </Text>
    ),
    labels: { confirm: t`Cancel the execution`, cancel: t`Keep it running` },
    confirmProps: { color: 'red' },
    onConfirm,
  });
