import { t } from '@lingui/core/macro';
import { Handle, Position, type NodeProps, type Node } from '@xyflow/react';
import { Group, Progress, Text, UnstyledButton } from '@mantine/core';
import { command } from '../editor/definition-keys.json';
import { colorOfStatus, StatusBadge } from '../shared/status-badge';
import { Duration } from '../shared/times';
import { lastRun, type ItemProgress, type ShownTask } from './task-progress';

export type TaskBoxData = {
  task: ShownTask;
  progress: ItemProgress | undefined;
  isSelected: boolean;
  /** Whether it is of a definition and not of a run. */
  isPlan: boolean;
  onSelect: () => void;
};

/** One task in the graph. */
export function TaskBox({ data: { task, progress, isSelected, isPlan, onSelect } }: NodeProps<Node<TaskBoxData>>) {
  const run = lastRun(task);
  const status = task.status ?? undefined;
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <UnstyledButton
        className="task-node nodrag nopan"
        aria-pressed={isSelected}
        onClick={onSelect}
        style={{ borderLeftColor: `var(--mantine-color-${status ? colorOfStatus(status) : 'gray'}-6)` }}
      >
        <Text size="sm" fw={600} className="visually-clipped">
          {task.id}
        </Text>
        <Group gap={6} wrap="nowrap" justify="space-between">
          {status ? (
            <StatusBadge status={status} />
          ) : (
            <Text size="xs" c="dimmed" className="visually-clipped">
              {isPlan ? planOf(task) : t`not started`}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {task.runs.length > 1 && `${t`${task.runs.length} runs`}, `}
            {progress && !isPlan ? t`${progress.done} of ${progress.total}` : run && <Duration of={run} />}
          </Text>
        </Group>
        {progress && progress.total > 0 && (
          <Progress
            size={3}
            value={(100 * progress.done) / progress.total}
            color={progress.failed > 0 ? 'red' : 'green'}
            aria-label={t`Items of ${task.id}`}
          />
        )}
      </UnstyledButton>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  );
}

/** What a task will do. */
function planOf({ id, action, join, with_items: hasItems }: ShownTask): string {
  if (id in command) return t`command of the engine`;
  return [
    ...(join === undefined ? [] : [t`join`]),
    action ?? t`no action`,
    ...(hasItems ? [t`for each item`] : []),
  ].join(', ');
}
