import { t } from '@lingui/core/macro';
import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { executionStatistics, type ExecutionFilter } from '../api/queries';
import { exactText } from '../shared/times';
import { usePageState } from '../shared/use-page-state';
import { DAY_SECONDS, periodOf } from './filter-of';
import { timeText } from './time-range-filter';
import { shownNumber } from '../locales/language';

const StatusChart = lazy(async () => ({ default: (await import('../shared/status-chart')).StatusChart }));

const HEIGHT = 110;

/**
 * The executions that match the filter, by time and status: in the selected period or, by default, in the last day. Dragging selects
 * a period. The figures are read at an interval, not after each event, so that their cost does not grow with the load.
 */
export function HistoryChart({ filter }: { filter: ExecutionFilter }) {
  const [state, change] = usePageState();
  const period = periodOf(state);
  const { timestamp_gt: _after, timestamp_lt: _before, ...others } = filter;
  const { data, error } = useQuery(executionStatistics(others, period ?? { from: DAY_SECONDS }));
  const select = (from: number, to: number) =>
    change({ since: null, from: timeText(Math.floor(from)), to: timeText(Math.ceil(to)) });
  return (
    <Box component="section" aria-label={t`Executions by time`} mb={6} mih={HEIGHT + 42}>
      {error && (
        <Text size="sm" role="alert">
          {error.message}
        </Text>
      )}
      {data && !error && (
        <Suspense>
          <StatusChart statistics={data} onSelect={select} height={HEIGHT} />
        </Suspense>
      )}
      {data && !error && (!period || !data.complete) && (
        <Text size="xs" c="dimmed">
          {data.complete
            ? t`The last 24 hours. Drag to choose a time range.`
            : t`The newest ${shownNumber(data.executions)} executions, from ${exactText(data.counted_from)} on.`}
        </Text>
      )}
    </Box>
  );
}
