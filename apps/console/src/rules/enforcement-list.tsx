import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { enforcementsOf } from '../api/queries';
import { Failure } from '../frame/error-page';
import { StatusBadge } from '../shared/status-badge';
import { RelativeTime } from '../shared/times';

/** For which events a rule has run its action lately, and why it could not. */
export function EnforcementList({ ruleRef }: { ruleRef: string }) {
  const { data, error, refetch } = useQuery(enforcementsOf(ruleRef));
  return (
    <section>
      <Title order={2} mb="sm">
        Enforcements
      </Title>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Text c="dimmed">No event has matched this rule yet.</Text>}
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {data?.map(({ id, status, enforced_at: time, execution_id: executionId, failure_reason: reason }) => (
          <li key={id}>
            <Group gap="sm" py={6}>
              <StatusBadge status={status} />
              <Text size="sm">
                <RelativeTime time={time} />
              </Text>
              {executionId && (
                <Anchor component={Link} to={`/history/${executionId}`} size="sm">
                  Execution
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
