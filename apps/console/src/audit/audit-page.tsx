import { Alert, Badge, Box, Group, Loader, Pagination, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { auditPage } from '../api/administration-queries';
import type { AuditRow } from '../api/client';
import { PAGE_SIZE } from '../api/queries';
import { Failure } from '../frame/error-page';
import { RelativeTime } from '../shared/times';
import { AuditFilters, auditFilterOf } from './audit-filters';
import { VerifyTrail } from './verify-trail';

/** The audit trail, newest first. The address holds the filters and the page. */
export function AuditPage() {
  const [search, setSearch] = useSearchParams();
  const page = Math.max(Number(search.get('page') ?? 1), 1);
  const text = search.toString();
  const filter = useMemo(() => auditFilterOf(new URLSearchParams(text), Date.now()), [text]);
  const { data, error, refetch } = useQuery({ ...auditPage(filter, page - 1), placeholderData: keepPreviousData });
  const set = (name: string, value: string | null) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (name !== 'page') after.delete('page');
        if (value) after.set(name, value);
        else after.delete(name);
        return after;
      },
      { replace: true },
    );
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={1}>Audit</Title>
        <Text c="dimmed" size="sm" role="status">
          {data && `${data.total.toLocaleString('en')} ${data.total === 1 ? 'record' : 'records'}`}
        </Text>
      </Group>
      <VerifyTrail />
      <AuditFilters search={search} onChange={set} />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loader aria-label="Loading" />}
      {data?.total === 0 && (
        <Alert color="gray" title="No records">
          {text === ''
            ? 'Nothing has been recorded. audit.enable in the configuration may be off.'
            : 'Nothing matches these filters, which compare whole values. Clear some of them.'}
        </Alert>
      )}
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {data?.rows.map((row, index) => (
          <li key={row.id} style={{ height: 44 }}>
            <AuditLine row={row} index={index} />
          </li>
        ))}
      </Box>
      {data && data.total > PAGE_SIZE && (
        <Pagination
          mt="md"
          aria-label="Pages of records"
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          total={Math.ceil(data.total / PAGE_SIZE)}
          value={page}
          onChange={(next) => set('page', String(next))}
        />
      )}
    </>
  );
}

function AuditLine({ row, index }: { row: AuditRow; index: number }) {
  const { id, time, user, operation, resource_type: type, resource, unreadable } = row;
  return (
    <Link to={`/audit/${id}`} className="row-link" data-list-row={index}>
      <Box w={{ base: 110, sm: 120 }} style={{ flexShrink: 0 }}>
        <OutcomeBadge of={row} />
      </Box>
      <Text size="sm" fw={500} className="visually-clipped" w={130} style={{ flexShrink: 0 }}>
        {user === '' ? 'unknown user' : user}
      </Text>
      <Text size="sm" className="visually-clipped" style={{ flexGrow: 1 }}>
        {unreadable ?? operation}
      </Text>
      <Text size="sm" c="dimmed" visibleFrom="sm" className="visually-clipped" maw={360}>
        {[type, resource].filter(Boolean).join(' ')}
      </Text>
      <Text size="sm" c="dimmed" w={120} ta="right" style={{ flexShrink: 0 }}>
        <RelativeTime time={time} />
      </Text>
    </Link>
  );
}

const COLORS = { succeeded: 'green', failed: 'red', refused: 'orange' } as const;

export const OutcomeBadge = ({ of: { outcome } }: { of: Pick<AuditRow, 'outcome'> }) =>
  outcome && (
    <Badge variant="dot" tt="none" color={COLORS[outcome]}>
      {outcome}
    </Badge>
  );
