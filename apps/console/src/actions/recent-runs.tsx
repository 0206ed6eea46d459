import { Trans } from '@lingui/react/macro';
import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { executionPage } from '../api/queries';
import { StatusBadge } from '../shared/status-badge';
import { Duration, RelativeTime } from '../shared/times';
import { shownNumber } from '../locales/language';

const SHOWN = 10;

/** The last runs of an action, live. */
export function RecentRuns({ actionRef }: { actionRef: string }) {
  const { data } = useQuery(executionPage({ action: actionRef }, 0));
  return (
    <section>
      <Group justify="space-between" mb="sm">
        <Title order={2}>
          <Trans>Recent runs</Trans>
        </Title>
        {data && data.total > SHOWN && (
          <Anchor component={Link} to={`/history?action=${actionRef}&tasks=shown`} size="sm">
            <Trans>All {shownNumber(data.total)}</Trans>
          </Anchor>
        )}
      </Group>
      {data?.total === 0 && (
        <Text c="dimmed">
          <Trans>This action has not been run yet.</Trans>
        </Text>
      )}
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {data?.rows.slice(0, SHOWN).map((row, index) => (
          <li key={row.id} style={{ height: 40 }}>
            <Link to={`/history/${row.id}`} className="row-link" data-list-row={index}>
              <StatusBadge status={row.status} />
              <Text size="sm" style={{ flexGrow: 1 }}>
                <RelativeTime time={row.start_timestamp} />
              </Text>
              <Text size="sm" c="dimmed">
                <Duration of={row} />
              </Text>
            </Link>
          </li>
        ))}
      </Box>
    </section>
  );
}
