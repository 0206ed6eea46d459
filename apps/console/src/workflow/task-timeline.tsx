import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import type { ShownGraph } from '../api/client';
import { colorOfStatus } from '../shared/status-badge';
import { durationText, useNow } from '../shared/times';
import type { ShownTask } from './task-progress';

const ROW_HEIGHT = 32;
/** The smallest width of a bar, so that short tasks stay visible. */
const LEAST_PERCENT = 0.4;

interface TaskTimelineProps {
  readonly graph: ShownGraph;
  readonly selected: string | undefined;
  readonly onSelect: (task: string) => void;
}

interface TimelineRow {
  readonly task: ShownTask;
  readonly run: ShownTask['runs'][number];
}

/** When each task ran, as bars on one scale. Each run of a task has its own row. */
export function TaskTimeline({ graph, selected, onSelect }: TaskTimelineProps) {
  const viewport = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(graph), [graph]);
  const isRunning = rows.some(({ run }) => run.end_timestamp === null);
  const now = useNow(isRunning ? 1000 : undefined);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  if (rows.length === 0)
    return (
      <Text c="dimmed">
        <Trans>No task has started yet.</Trans>
      </Text>
    );
  const from = Math.min(...rows.map(({ run }) => Date.parse(run.start_timestamp)));
  const to = Math.max(...rows.map(({ run }) => endOf(run, now)), from + 1);
  return (
    <Box ref={viewport} className="workflow-timeline" role="list" aria-label={t`Timeline of the tasks`} tabIndex={0}>
      <div role="presentation" style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!;
          return (
            <div
              key={index}
              role="listitem"
              style={{ position: 'absolute', top: start, left: 0, right: 0, height: ROW_HEIGHT }}
            >
              <TimelineBar
                row={row}
                from={from}
                to={to}
                now={now}
                isSelected={row.task.id === selected}
                onSelect={() => onSelect(row.task.id)}
              />
            </div>
          );
        })}
      </div>
    </Box>
  );
}

interface TimelineBarProps {
  readonly row: TimelineRow;
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function TimelineBar({ row: { task, run }, from, to, now, isSelected, onSelect }: TimelineBarProps) {
  const start = Date.parse(run.start_timestamp);
  const seconds = Math.max(endOf(run, now) - start, 0) / 1000;
  const percent = (ms: number) => (100 * ms) / (to - from);
  const left = percent(start - from);
  const width = Math.max(percent(seconds * 1000), LEAST_PERCENT);
  const text = t`${durationText(seconds)}, ${durationText((start - from) / 1000)} after the start`;
  return (
    <UnstyledButton className="timeline-row" aria-pressed={isSelected} onClick={onSelect}>
      <Text size="sm" className="visually-clipped" w={{ base: 110, sm: 200 }}>
        {task.id}
      </Text>
      <Tooltip label={text}>
        <Box style={{ position: 'relative', flexGrow: 1, height: 16 }}>
          <Box
            style={{
              position: 'absolute',
              left: `${Math.min(left, 100 - LEAST_PERCENT)}%`,
              width: `${width}%`,
              height: 16,
              borderRadius: 3,
              background: `var(--mantine-color-${colorOfStatus(run.status ?? 'running')}-6)`,
            }}
          />
        </Box>
      </Tooltip>
      <Text size="xs" c="dimmed" w={80} ta="right">
        {durationText(seconds)}
      </Text>
    </UnstyledButton>
  );
}

const endOf = ({ end_timestamp: end }: TimelineRow['run'], now: number): number => (end ? Date.parse(end) : now);

const rowsOf = ({ nodes }: ShownGraph): TimelineRow[] =>
  nodes
    .flatMap((task) => task.runs.map((run) => ({ task, run })))
    .sort((a, b) => Date.parse(a.run.start_timestamp) - Date.parse(b.run.start_timestamp));
