import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ShownStatus } from '../api/client';
import { systemStatus } from '../api/queries';
import { Failure } from '../frame/error-page';
import { RelativeTime } from '../shared/times';
import { shownNumber } from '../locales/language';

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
      <Table aria-label={t`System`} variant="vertical">
        <Table.Tbody>
          <Row name={t`Services`}>{servicesInWords(data)}</Row>
          <Row name={t`Slots in use`}>{slotsInWords(data)}</Row>
          <Row name={t`Waiting executions`}>
            <Waiting rows={data.pools} />
          </Row>
          <Row name={t`Queues of services`}>
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
  if (problems.length === 0) return t`No problems`;
  return plural(problems.length, { one: '# problem', other: '# problems' });
}

function servicesInWords({ services, leaders }: ShownStatus): string {
  const running = services.filter(({ replicas }) => replicas.length > 0).length;
  return t`${running} of ${services.length} running, ${plural(leaders.length, { one: '# leader', other: '# leaders' })}`;
}

function slotsInWords({ pools }: ShownStatus): string {
  const sum = (of: (pool: ShownStatus['pools'][number]) => number | undefined) =>
    pools.reduce((total, pool) => total + (of(pool) ?? 0), 0);
  const [active, slots] = [shownNumber(sum((pool) => pool.active)), shownNumber(sum((pool) => pool.slots))];
  return t`${active} of ${slots}`;
}

interface WaitingRow {
  readonly waiting: number;
  readonly oldest_at?: string;
}

/** How many wait, and since when the oldest. */
function Waiting({ rows }: { rows: readonly WaitingRow[] }) {
  const count = rows.reduce((sum, { waiting }) => sum + waiting, 0);
  const [oldest] = rows.flatMap(({ oldest_at: at }) => at ?? []).sort();
  if (count === 0 || oldest === undefined) return <Text size="sm">{shownNumber(count)}</Text>;
  return (
    <Text size="sm">
      <Trans>
        {shownNumber(count)}, the oldest due <RelativeTime time={oldest} />
      </Trans>
    </Text>
  );
}
