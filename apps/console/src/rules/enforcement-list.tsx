import { Trans } from '@lingui/react/macro';
import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { enforcementsOf } from '../api/queries';
import { Failure } from '../frame/error-page';
import { StatusBadge } from '../shared/status-badge';
import { RelativeTime } from '../shared/times';

interface EnforcementListProps {
  readonly of: ReturnType<typeof enforcementsOf>;
  /** What to say when there are none. */
  readonly none: string;
}

/** The latest enforcements of a rule or for an event: what ran, and why an action could not run. */
export function EnforcementList({ of, none }: EnforcementListProps) {
  const { data, error, refetch } = useQuery(of);
  return (
    <section>
      <Title order={2} mb="sm">
        <Trans>Enforcements</Trans>
      </Title>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Text c="dimmed">{none}</Text>}
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {data?.map(({ id, status, rule, enforced_at: time, execution_id: executionId, failure_reason: reason }) => (
          <li key={id}>
            <Group gap="sm" py={6}>
              <StatusBadge status={status} />
              <Text size="sm">{rule?.ref}</Text>
              <Text size="sm">
                <RelativeTime time={time} />
              </Text>
              {executionId && (
                <Anchor component={Link} to={`/history/${executionId}`} size="sm">
                  <Trans>Execution</Trans>
                </Anchor>
              )}
              {reason && (
                <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {reason}
                </Text>
              )}
            </Group>
          </li>
        ))}
      </Box>
    </section>
  );
}
