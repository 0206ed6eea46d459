import { plural, t } from '@lingui/core/macro';
import { Alert, Badge, Box, Loader, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { auditPage } from '../api/administration-queries';
import type { AuditRow } from '../api/client';
import { Failure } from '../frame/error-page';
import { ListHead } from '../shared/list-head';
import { PagedList } from '../shared/paged-list';
import { RelativeTime } from '../shared/times';
import { usePageState } from '../shared/use-page-state';
import { AuditFilters, auditFilterOf } from './audit-filters';
import { VerifyTrail } from './verify-trail';

/** The audit trail, newest first. The address holds the filters and the page. */
export function AuditPage() {
  const [state, change] = usePageState();
  const page = Math.max(Number(state.get('page') ?? 1), 1);
  const text = state.toString();
  const filter = useMemo(() => auditFilterOf(new URLSearchParams(text), Date.now()), [text]);
  const { data, error, refetch } = useQuery({ ...auditPage(filter, page - 1), placeholderData: keepPreviousData });
  const filterBy = (name: string, value: string | null) => change({ [name]: value, page: null });
  return (
    <>
      <ListHead title={t`Audit`} count={data && plural(data.total, { one: '# record', other: '# records' })} />
      <VerifyTrail />
      <AuditFilters search={state} onChange={filterBy} />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loader aria-label={t`Loading`} />}
      {data?.total === 0 && (
        <Alert color="gray" title={t`No records`}>
          {text === ''
            ? t`Nothing has been recorded. audit.enable in the configuration may be off.`
            : t`Nothing matches these filters, which compare whole values. Clear some of them.`}
        </Alert>
      )}
      {data && (
        <PagedList
          name="records"
          rows={data.rows}
          total={data.total}
          page={page}
          onPage={(next) => change({ page: String(next) })}
        >
          {(row, index) => <AuditLine row={row} index={index} />}
        </PagedList>
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
        {user === '' ? t`unknown user` : user}
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
