import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
  if (!data) return <Loader aria-label={t`Loading`} />;
  return (
    <>
      <Breadcrumbs mb="xs">
        <Anchor component={Link} to="/audit" size="sm">
          <Trans>Audit</Trans>
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
    [t`Kind`, record.kind],
    [t`User`, user === '' ? t`unknown` : <Others name="user" value={user} />],
    [t`Authenticated by`, record.authenticated_by],
    [t`Address`, address === '' ? t`none` : <Others name="address" value={address} />],
    [t`Resource type`, record.resource_type || t`none`],
    [t`Resource`, record.resource === '' ? t`none` : <Others name="resource" value={record.resource} />],
    [t`HTTP status`, record.status],
    [t`Request id`, request === '' ? t`none` : <Others name="request_id" value={request} />],
    [t`Fields in the request`, changed.length > 0 ? changed.join(', ') : t`none`],
    ...(omitted === undefined ? [] : [[t`Not recorded before`, omitted] as const]),
    ...(heads ?? []).map(({ writer, sequence }) => [t`Last record of ${writer}`, sequence] as const),
    [t`Process`, t`${record.writer}, its record ${record.sequence}`],
    [t`Hash`, <Code key="hash">{record.hash}</Code>],
    [t`Hash of the record before`, record.previous === '' ? t`none` : <Code key="previous">{record.previous}</Code>],
  ];
}

/** A value that leads to all records with it. */
const Others = ({ name, value }: { name: string; value: string }) => (
  <Anchor component={Link} to={`/audit?${new URLSearchParams({ [name]: value }).toString()}`} size="sm">
    {value}
  </Anchor>
);
