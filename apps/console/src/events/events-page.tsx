import { plural, t } from '@lingui/core/macro';
import { Alert, Box, Group, Loader, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { EventRow, RuleRow } from '../api/client';
import { allRules, triggerTypes } from '../api/queries';
import { eventPage } from './event-queries';
import { Failure } from '../frame/error-page';
import { triggerTitle } from '../rules/rule-words';
import { FilterChoice } from '../shared/filters';
import { ListHead } from '../shared/list-head';
import { PagedList } from '../shared/paged-list';
import { StatusBadge } from '../shared/status-badge';
import { RelativeTime } from '../shared/times';
import { usePageState } from '../shared/use-page-state';
import { outcomeInWords } from './outcome-words';

const STATUSES = ['pending', 'processing', 'processed', 'processing_failed'];

/** Trigger instances, newest first, with what they caused. The address holds the filters and the page. */
export function EventsPage() {
  const [state, change] = usePageState();
  const page = Math.max(Number(state.get('page') ?? 1), 1);
  const filter = { trigger_type: state.get('type') ?? '', status: state.get('status') ?? '' };
  const { data, error, refetch } = useQuery({ ...eventPage(filter, page - 1), placeholderData: keepPreviousData });
  const { data: types = [] } = useQuery(triggerTypes());
  const { data: rules = [] } = useQuery(allRules());
  const filterBy = (name: string, value: string | null) => change({ [name]: value, page: null });
  return (
    <>
      <ListHead title={t`Events`} count={data && plural(data.total, { one: '# event', other: '# events' })} />
      <Group gap={10} mb="sm" role="search" aria-label={t`Filters`}>
        <FilterChoice
          label={t`Trigger type`}
          choices={types.flatMap(({ ref }) => ref ?? [])}
          value={state.get('type')}
          onChange={(value) => filterBy('type', value)}
          width={{ base: '100%', sm: 280 }}
          isSearch
        />
        <FilterChoice
          label={t`Status`}
          choices={STATUSES}
          value={state.get('status')}
          onChange={(value) => filterBy('status', value)}
          width={{ base: '100%', sm: 170 }}
        />
      </Group>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loader aria-label={t`Loading`} />}
      {data?.total === 0 && (
        <Alert color="gray" title={t`No events`}>
          {filter.trigger_type === '' && filter.status === ''
            ? t`Webhooks, timers and sensors bring events in. Those that no rule listens to are not kept.`
            : t`Nothing matches these filters. Clear some of them.`}
        </Alert>
      )}
      {data && (
        <PagedList
          name="events"
          rows={data.rows}
          total={data.total}
          page={page}
          onPage={(next) => change({ page: String(next) })}
        >
          {(row, index) => <EventLine row={row} index={index} rules={rules} />}
        </PagedList>
      )}
    </>
  );
}

function EventLine({ row, index, rules }: { row: EventRow; index: number; rules: readonly RuleRow[] }) {
  return (
    <Link to={`/events/${row.id}`} className="row-link" data-list-row={index}>
      <Box w={{ base: 110, sm: 150 }} style={{ flexShrink: 0 }}>
        <StatusBadge status={row.status} />
      </Box>
      <Text size="sm" fw={500} className="visually-clipped" style={{ flexGrow: 1 }}>
        {row.trigger === undefined ? (row.unreadable ?? row.id) : triggerTitle(row.trigger, rules)}
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
