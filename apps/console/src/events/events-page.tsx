import { Alert, Box, Group, Loader, Pagination, Select, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { EventRow } from '../api/client';
import { eventPage, PAGE_SIZE, triggerTypes } from '../api/queries';
import { Failure } from '../frame/error-page';
import { StatusBadge } from '../shared/status-badge';
import { RelativeTime } from '../shared/times';
import { outcomeInWords } from './outcome-words';

const STATUSES = ['pending', 'processing', 'processed', 'processing_failed'];

/** Trigger instances, newest first, with what they caused. The address holds the filters and the page. */
export function EventsPage() {
  const [search, setSearch] = useSearchParams();
  const page = Math.max(Number(search.get('page') ?? 1), 1);
  const filter = { trigger_type: search.get('type') ?? '', status: search.get('status') ?? '' };
  const { data, error, refetch } = useQuery({ ...eventPage(filter, page - 1), placeholderData: keepPreviousData });
  const { data: types = [] } = useQuery(triggerTypes());
  const set = (name: string, value: string | null) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (name !== 'page') after.delete('page');
        if (value) after.set(name, value);
        else after.delete(name);
        return after;
      },
      { replace: true },
    );
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={1}>Events</Title>
        <Text c="dimmed" size="sm" role="status">
          {data && `${data.total.toLocaleString('en')} ${data.total === 1 ? 'event' : 'events'}`}
        </Text>
      </Group>
      <Group gap={10} mb="sm" role="search" aria-label="Filters">
        <Select
          size="xs"
          data-page-search
          aria-label="Trigger type"
          placeholder="Trigger type"
          data={types.flatMap(({ ref }) => ref ?? [])}
          value={search.get('type')}
          onChange={(value) => set('type', value)}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear trigger type' }}
          w={{ base: '100%', sm: 280 }}
        />
        <Select
          size="xs"
          aria-label="Status"
          placeholder="Status"
          data={STATUSES}
          value={search.get('status')}
          onChange={(value) => set('status', value)}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear status' }}
          w={{ base: '100%', sm: 170 }}
        />
      </Group>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loader aria-label="Loading" />}
      {data?.total === 0 && (
        <Alert color="gray" title="No events">
          {filter.trigger_type === '' && filter.status === ''
            ? 'Webhooks, timers and sensors bring events in. Those that no rule listens to are not kept.'
            : 'Nothing matches these filters. Clear some of them.'}
        </Alert>
      )}
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {data?.rows.map((row, index) => (
          <li key={row.id} style={{ height: 44 }}>
            <EventLine row={row} index={index} />
          </li>
        ))}
      </Box>
      {data && data.total > PAGE_SIZE && (
        <Pagination
          mt="md"
          aria-label="Pages of events"
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          total={Math.ceil(data.total / PAGE_SIZE)}
          value={page}
          onChange={(next) => set('page', String(next))}
        />
      )}
    </>
  );
}

function EventLine({ row, index }: { row: EventRow; index: number }) {
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
