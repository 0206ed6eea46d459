import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import type { AuditFilter } from '../api/administration-queries';
import { RANGES } from '../history/filter-of';
import { FilterChoice, FilterText } from '../shared/filters';

const KINDS = ['change', 'login', 'refusal', 'secrets', 'checkpoint', 'retention'];
const OUTCOMES = ['succeeded', 'failed', 'refused'];

/** Filters that are typed, with their labels. */
const TEXTS = {
  user: t`User`,
  operation: t`Operation`,
  resource_type: t`Resource type`,
  resource: t`Resource`,
  address: t`Address`,
  request_id: t`Request id`,
} as const;

/** Translates the address of the page into a filter of the API. */
export function auditFilterOf(search: URLSearchParams, nowMs: number): AuditFilter {
  const names = ['kind', 'outcome', ...Object.keys(TEXTS)];
  const given = names.flatMap((name) => (search.get(name) ? [[name, search.get(name)] as const] : []));
  const since = RANGES[search.get('since') ?? ''];
  return {
    ...Object.fromEntries(given),
    ...(since && { time_gt: new Date(nowMs - since.seconds * 1000).toISOString() }),
  };
}

const RANGE_CHOICES = Object.entries(RANGES).map(([value, { label }]) => ({ value, label }));

interface AuditFiltersProps {
  readonly search: URLSearchParams;
  readonly onChange: (name: string, value: string | null) => void;
}

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const of = (name: string) => ({
    value: search.get(name),
    onChange: (value: string | null) => onChange(name, value),
  });
  return (
    <Group gap={10} mb="sm" role="search" aria-label={t`Filters`}>
      <FilterChoice label={t`Kind`} choices={KINDS} {...of('kind')} />
      <FilterChoice label={t`Outcome`} choices={OUTCOMES} {...of('outcome')} />
      <FilterChoice label={t`Time range`} choices={RANGE_CHOICES} {...of('since')} />
      {Object.entries(TEXTS).map(([name, label]) => (
        <FilterText
          key={name}
          label={label}
          value={search.get(name) ?? ''}
          onChange={(text) => onChange(name, text)}
          isSearch={name === 'user'}
        />
      ))}
    </Group>
  );
}
