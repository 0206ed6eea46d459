import { Anchor, Breadcrumbs, Code, Group, Loader, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { auditRecord } from '../api/administration-queries';
import type { AuditDetail } from '../api/client';
import { Failure } from '../frame/error-page';
import { exactText, RelativeTime } from '../shared/times';
import { OutcomeBadge } from './audit-page';

/** One record of the audit trail. */
export function AuditRecordPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(auditRecord(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label="Loading" />;
  return (
    <>
      <Breadcrumbs mb="xs">
        <Anchor component={Link} to="/audit" size="sm">
          Audit
        </Anchor>
        <Text size="sm" ff="monospace">
          {data.sequence}
        </Text>
      </Breadcrumbs>
      <Group gap="sm">
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {data.operation}
        </Title>
        <OutcomeBadge of={data} />
      </Group>
      <Text c="dimmed" size="sm" mb="md">
        {exactText(data.time)}, <RelativeTime time={data.time} />
      </Text>
      <Table maw={900} variant="vertical" layout="fixed">
        <Table.Tbody>
          {detailsOf(data).map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th w={{ base: 110, sm: 200 }}>{label}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

function detailsOf(record: AuditDetail): (readonly [string, ReactNode])[] {
  const { user, address, request_id: request, changed, omitted, heads } = record;
  return [
    ['Kind', record.kind],
    ['User', user === '' ? 'unknown' : <Others name="user" value={user} />],
    ['Authenticated by', record.authenticated_by],
    ['Address', address === '' ? 'none' : <Others name="address" value={address} />],
    ['Resource type', record.resource_type || 'none'],
    ['Resource', record.resource === '' ? 'none' : <Others name="resource" value={record.resource} />],
    ['HTTP status', record.status],
    ['Request id', request === '' ? 'none' : <Others name="request_id" value={request} />],
    ['Fields in the request', changed.length > 0 ? changed.join(', ') : 'none'],
    ...(omitted === undefined ? [] : [['Not recorded before', omitted] as const]),
    ...(heads ?? []).map(({ writer, sequence }) => [`Last record of ${writer}`, sequence] as const),
    ['Process', `${record.writer}, its record ${record.sequence}`],
    ['Hash', <Code key="hash">{record.hash}</Code>],
    ['Hash of the record before', record.previous === '' ? 'none' : <Code key="previous">{record.previous}</Code>],
  ];
}

/** A value that leads to all records with it. */
const Others = ({ name, value }: { name: string; value: string }) => (
  <Anchor component={Link} to={`/audit?${new URLSearchParams({ [name]: value }).toString()}`} size="sm">
    {value}
  </Anchor>
);
