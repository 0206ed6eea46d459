import { Badge } from '@mantine/core';

const COLORS: Readonly<Record<string, string>> = {
  succeeded: 'green',
  failed: 'red',
  timeout: 'red',
  abandoned: 'red',
  canceled: 'gray',
  canceling: 'gray',
  running: 'blue',
  pending: 'grape',
  paused: 'orange',
  pausing: 'orange',
  // Of events.
  processing: 'blue',
  processed: 'green',
  processing_failed: 'red',
};

/** Statuses that change without further input. */
const MOVING = new Set(['requested', 'scheduled', 'delayed', 'running', 'canceling', 'pausing', 'resuming']);

const ENDED = new Set(['succeeded', 'failed', 'timeout', 'abandoned', 'canceled']);

export const hasEnded = (status: string | undefined): boolean => status !== undefined && ENDED.has(status);

export const colorOfStatus = (status: string): string => COLORS[status] ?? 'yellow';

export function StatusBadge({ status = 'unknown' }: { status?: string | undefined }) {
  return (
    <Badge
      variant="dot"
      tt="none"
      color={colorOfStatus(status)}
      className={MOVING.has(status) ? 'is-running' : ''}
      style={{ flexShrink: 0, verticalAlign: 'middle' }}
    >
      {status}
    </Badge>
  );
}
