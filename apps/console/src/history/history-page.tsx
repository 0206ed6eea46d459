import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { executionPage } from '../api/queries';
import { Failure } from '../frame/error-page';
import { ExecutionList } from './execution-list';
import { HistoryChart } from './history-chart';
import { HistoryFilters } from './history-filters';
import { filterOf } from './filter-of';
import { SelectionBar } from './selection-bar';
import { useSelection } from './selection';

/** All executions, newest first. The address holds the filters. */
export function HistoryPage() {
  const [search] = useSearchParams();
  const text = search.toString();
  const filter = useMemo(() => filterOf(new URLSearchParams(text), Date.now()), [text]);
  const first = useQuery(executionPage(filter, 0));
  const total = first.data?.total;
  const selection = useSelection();
  const { clear } = selection;
  // Rows that other filters hide should not be changed by accident.
  useEffect(clear, [text, clear]);
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={1}>
          <Trans>History</Trans>
        </Title>
        <Text c="dimmed" size="sm" role="status">
          {total === undefined ? '' : plural(total, { one: '# execution', other: '# executions' })}
        </Text>
      </Group>
      <HistoryFilters />
      <HistoryChart filter={filter} />
      {first.error && <Failure error={first.error} onRetry={() => void first.refetch()} />}
      {total === 0 && (
        <Alert color="gray" mt="md" title={t`No executions`}>
          {text === '' ? t`Run an action to see it here.` : t`Nothing matches these filters. Clear some of them.`}
        </Alert>
      )}
      {first.data && <SelectionBar selection={selection} newest={first.data.rows} />}
      {first.data && first.data.total > 0 && (
        <ExecutionList filter={filter} total={first.data.total} selection={selection} />
      )}
    </>
  );
}
