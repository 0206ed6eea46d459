import { Box, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { EventRow } from '../api/client';
import { StatusBadge } from '../shared/status-badge';
import { RelativeTime } from '../shared/times';
import { outcomeInWords } from './outcome-words';

/** An event in a list, with what came of it. */
export function EventLine({ row, index }: { row: EventRow; index: number }) {
  return (
    <Link to={`/events/${row.id}`} className="row-link" data-list-row={index}>
      <Box w={{ base: 110, sm: 150 }} style={{ flexShrink: 0 }}>
        <StatusBadge status={row.status} />
      </Box>
      <Text size="sm" fw={500} className="visually-clipped" style={{ flexGrow: 1 }}>
        {row.trigger ?? row.unreadable ?? row.id}
      </Text>
      <Text size="sm" c="dimmed" visibleFrom="sm" className="visually-clipped" maw={360}>
        {outcomeInWords(row.outcome)}
      </Text>
      <Text size="sm" c="dimmed" w={120} ta="right" style={{ flexShrink: 0 }}>
        <RelativeTime time={row.occurrence_time} />
      </Text>
    </Link>
  );
}
