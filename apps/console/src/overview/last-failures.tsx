import { Trans } from '@lingui/react/macro';
import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { executionPage } from '../api/queries';
import { Failure } from '../frame/error-page';
import { StatusBadge } from '../shared/status-badge';
import { RelativeTime } from '../shared/times';

const SHOWN = 8;

/** What failed last, whenever that was; live. The page of a workflow names the task that made it fail. */
export function LastFailures() {
  const { data, error, refetch } = useQuery(executionPage({ status: 'failed,timeout,abandoned', parent: 'null' }, 0));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data?.total === 0)
    return (
      <Text c="dimmed">
        <Trans>Nothing has failed.</Trans>
      </Text>
    );
  return (
    <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {data?.rows.slice(0, SHOWN).map((row, index) => (
        <li key={row.id} style={{ height: 36 }}>
          <Link to={`/history/${row.id}`} className="row-link" data-list-row={index}>
            <StatusBadge status={row.status} />
            <Text size="sm" className="visually-clipped" style={{ flexGrow: 1 }}>
              {row.action?.ref ?? row.id}
            </Text>
            <Text size="sm" c="dimmed" style={{ flexShrink: 0 }}>
              <RelativeTime time={row.start_timestamp} />
            </Text>
          </Link>
        </li>
      ))}
    </Box>
  );
}
