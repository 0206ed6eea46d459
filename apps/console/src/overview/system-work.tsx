import { Anchor, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ShownStatus } from '../api/client';
import { systemStatus } from '../api/queries';
import { Failure } from '../frame/error-page';
import { RelativeTime } from '../shared/times';

/** The load of the runners, the queues, and whether all services run. The page Status has the details. */
export function SystemWork() {
  const { data, error, refetch } = useQuery(systemStatus());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <Stack gap="xs">
      <Anchor component={Link} to="/status" size="sm">
        {problemsInWords(data)}
      </Anchor>
      <Table aria-label="System" variant="vertical">
        <Table.Tbody>
          <Row name="Services">{servicesInWords(data)}</Row>
          <Row name="Slots in use">{slotsInWords(data)}</Row>
          <Row name="Waiting executions">
            <Waiting rows={data.pools} />
          </Row>
          <Row name="Queues of services">
            <Waiting rows={data.queues} />
          </Row>
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <Table.Tr>
    <Table.Th w={160}>{name}</Table.Th>
    <Table.Td>{children}</Table.Td>
  </Table.Tr>
);

function problemsInWords({ problems }: ShownStatus): string {
  if (problems.length === 0) return 'No problems';
  return problems.length === 1 ? '1 problem' : `${problems.length} problems`;
}

function servicesInWords({ services, leaders }: ShownStatus): string {
  const running = services.filter(({ replicas }) => replicas.length > 0).length;
  return `${running} of ${services.length} running, ${leaders.length} ${leaders.length === 1 ? 'leader' : 'leaders'}`;
}

function slotsInWords({ pools }: ShownStatus): string {
  const sum = (of: (pool: ShownStatus['pools'][number]) => number | undefined) =>
    pools.reduce((total, pool) => total + (of(pool) ?? 0), 0);
  return `${sum(({ active }) => active).toLocaleString('en')} of ${sum(({ slots }) => slots).toLocaleString('en')}`;
}

interface WaitingRow {
  readonly waiting: number;
  readonly oldest_at?: string;
}

/** How many wait, and since when the oldest. */
function Waiting({ rows }: { rows: readonly WaitingRow[] }) {
  const count = rows.reduce((sum, { waiting }) => sum + waiting, 0);
  const [oldest] = rows.flatMap(({ oldest_at: at }) => at ?? []).sort();
  if (count === 0 || oldest === undefined) return <Text size="sm">{count.toLocaleString('en')}</Text>;
  return (
    <Text size="sm">
      {count.toLocaleString('en')}, the oldest due <RelativeTime time={oldest} />
    </Text>
  );
}
