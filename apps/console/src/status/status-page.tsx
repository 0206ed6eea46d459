import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Box, Group, Loader, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ShownStatus } from '../api/client';
import { systemStatus } from '../api/queries';
import { Failure } from '../frame/error-page';
import { RelativeTime } from '../shared/times';

/** What is running, what waits, and why. It is read again every few seconds. */
export function StatusPage() {
  const { data, error, refetch } = useQuery(systemStatus());
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={1}>
          <Trans>Status</Trans>
        </Title>
        <Text c="dimmed" size="sm" role="status">
          {data && processesInWords(data)}
        </Text>
      </Group>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loader aria-label={t`Loading`} />}
      {data && (
        <>
          <Problems problems={data.problems} />
          <Processes services={data.services} />
          <Leaders leaders={data.leaders} />
          <Work status={data} />
        </>
      )}
    </>
  );
}

function processesInWords({ services }: ShownStatus): string {
  const count = new Set(services.flatMap(({ replicas }) => replicas.map(({ id }) => id))).size;
  return plural(count, { one: '# process', other: '# processes' });
}

function Problems({ problems }: Pick<ShownStatus, 'problems'>) {
  if (problems.length === 0)
    return (
      <Alert color="gray" title={t`No problems`} icon={<IconCheck aria-hidden />} mb="md">
        <Trans>Every service is running, and nothing waits for long.</Trans>
      </Alert>
    );
  return (
    <Alert color="orange" title={t`Problems`} icon={<IconAlertTriangle aria-hidden />} mb="md">
      <Box component="ul" m={0} pl="md">
        {problems.map(({ message, oldest_at: oldest }) => (
          <li key={message}>
            {message}{' '}
            {oldest !== undefined && (
              <Trans>
                The oldest waits since <RelativeTime time={oldest} />.
              </Trans>
            )}
          </li>
        ))}
      </Box>
    </Alert>
  );
}

function Processes({ services }: Pick<ShownStatus, 'services'>) {
  return (
    <Section
      title={t`Services`}
      columns={[t`Service`, t`Host`, t`Process`, t`Version`, t`Started`, t`Slots`, t`Pools`]}
      rows={services.flatMap(({ service, replicas }) =>
        replicas.map(({ id, host, pid, version, started_at: started, slots, pools }) => ({
          key: `${service} ${id}`,
          cells: [service, host, pid, version, <RelativeTime time={started} />, slots, pools?.join(', ')],
        })),
      )}
    />
  );
}

function Leaders({ leaders }: Pick<ShownStatus, 'leaders'>) {
  return (
    <Section
      title={t`Leaders`}
      columns={[t`Work`, t`Host`, t`Process`, t`Elected`]}
      rows={leaders.map(({ leadership, host, pid, elected_at: elected }) => ({
        key: leadership,
        cells: [leadership, host, pid, <RelativeTime time={elected} />],
      }))}
    />
  );
}

function Work({ status: { executions, pools, queues } }: { status: ShownStatus }) {
  return (
    <>
      <Section
        title={t`Unfinished executions`}
        columns={[t`Status`, t`Executions`, t`Oldest`]}
        rows={executions.map(({ status, count, oldest_at: oldest }) => ({
          key: status,
          cells: [status, count, <RelativeTime time={oldest} />],
        }))}
      />
      <Section
        title={t`Pools`}
        columns={[t`Pool`, t`Waiting`, t`Oldest`, t`In use`, t`Slots`]}
        rows={pools.map(({ pool, waiting, oldest_at: oldest, active, slots }) => ({
          key: pool,
          cells: [pool, waiting, <RelativeTime time={oldest} />, active, slots],
        }))}
      />
      <Section
        title={t`Queues`}
        columns={[t`Service`, t`Waiting`, t`Oldest`]}
        rows={queues.map(({ service, waiting, oldest_at: oldest }) => ({
          key: service,
          cells: [service, waiting, <RelativeTime time={oldest} />],
        }))}
      />
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

/** A titled table. Left out if it has no rows. */
function Section({ title, columns, rows }: SectionProps) {
  if (rows.length === 0) return null;
  return (
    <Box component="section" aria-label={title} mb="lg">
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <Table.ScrollContainer minWidth={420}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ key, cells }) => (
              <Table.Tr key={key}>
                {cells.map((cell, index) => (
                  <Table.Td key={columns[index]}>{cell}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Box>
  );
}
