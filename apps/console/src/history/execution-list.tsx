import { t } from '@lingui/core/macro';
import { Box, Checkbox, Skeleton, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef } from 'react';
import { Link } from 'react-router';
import type { ExecutionRow } from '../api/client';
import { executionPage, PAGE_SIZE, type ExecutionFilter } from '../api/queries';
import { textMember } from '../shared/text-member';
import { StatusBadge } from '../shared/status-badge';
import { Duration, RelativeTime } from '../shared/times';
import type { RowSelection } from './selection';

const ROW_HEIGHT = 44;

interface ExecutionListProps {
  readonly filter: ExecutionFilter;
  readonly total: number;
  readonly selection: RowSelection;
}

/** Executions as a list of any length: only the pages in view are loaded, and only the rows in view exist. */
export function ExecutionList({ filter, total, selection }: ExecutionListProps) {
  const viewport = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: total,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const items = list.getVirtualItems();
  const pages = [...new Set(items.map(({ index }) => Math.floor(index / PAGE_SIZE)))];
  const rowAt = useRows(filter, pages);
  const rowKeys = keysOf(items.map(({ index }) => rowAt(index)?.id ?? index));
  const { rows: selected, set } = selection;
  return (
    <Box
      ref={viewport}
      role="list"
      aria-label={t`Executions`}
      tabIndex={0}
      style={{ height: 'calc(100dvh - 346px)', minHeight: 240, overflowY: 'auto', contain: 'strict' }}
    >
      <div role="presentation" style={{ height: list.getTotalSize(), position: 'relative' }}>
        {items.map(({ index, start }, at) => (
          <div
            key={rowKeys[at]}
            role="listitem"
            aria-setsize={total}
            aria-posinset={index + 1}
            style={{ position: 'absolute', top: start, left: 0, right: 0, height: ROW_HEIGHT }}
          >
            <ExecutionLine
              row={rowAt(index)}
              index={index}
              isSelected={selected.has(rowAt(index)?.id ?? '')}
              onSelect={set}
            />
          </div>
        ))}
      </div>
    </Box>
  );
}

function useRows(filter: ExecutionFilter, pages: readonly number[]): (index: number) => ExecutionRow | undefined {
  const results = useQueries({ queries: pages.map((page) => executionPage(filter, page)) });
  const byPage = new Map(pages.map((page, at) => [page, results[at]?.data?.rows]));
  return (index) => byPage.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE];
}

/**
 * Rows are known by their executions, so that a click meets the one that the user sees when new ones move the others down. An
 * execution that two pages contain while they are read again has its position the second time.
 */
function keysOf(ids: readonly (string | number)[]): (string | number)[] {
  return ids.map((id, at) => (ids.indexOf(id) === at ? id : `${id} ${at}`));
}

interface ExecutionLineProps {
  readonly row: ExecutionRow | undefined;
  readonly index: number;
  readonly isSelected: boolean;
  readonly onSelect: RowSelection['set'];
}

/** Drawn again only if it has changed: the list is drawn again with each step of scrolling. */
const ExecutionLine = memo(function Line({ row, index, isSelected, onSelect }: ExecutionLineProps) {
  if (!row) return <Skeleton height={14} mx={12} my={15} width="60%" animate={false} />;
  return (
    <div className="selectable-row">
      <Checkbox
        size="xs"
        pl={12}
        aria-label={t`Select ${row.action?.ref ?? t`execution`} ${row.id}`}
        checked={isSelected}
        onChange={(event) => onSelect([row], event.currentTarget.checked)}
      />
      <Link to={`/history/${row.id}`} className="row-link" data-list-row={index} style={{ flexGrow: 1, minWidth: 0 }}>
        <Box w={{ base: 96, sm: 120 }} style={{ flexShrink: 0 }}>
          <StatusBadge status={row.status} />
        </Box>
        <Text size="sm" fw={500} className="visually-clipped" style={{ flexGrow: 1 }}>
          {row.action?.ref ?? row.unreadable ?? row.id}
        </Text>
        <Text size="sm" c="dimmed" visibleFrom="sm" className="visually-clipped" w={130}>
          {textMember(row.context, 'user')}
        </Text>
        <Text size="sm" c="dimmed" visibleFrom="sm" w={90} ta="right">
          <Duration of={row} />
        </Text>
        <Text size="sm" c="dimmed" w={120} ta="right" style={{ flexShrink: 0 }}>
          <RelativeTime time={row.start_timestamp} />
        </Text>
      </Link>
    </div>
  );
});
