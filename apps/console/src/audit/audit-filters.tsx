import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { AuditFilter } from '../api/administration-queries';
import { RANGES } from '../history/filter-of';

const TYPING_MS = 400;

const KINDS = ['change', 'login', 'refusal', 'secrets', 'checkpoint', 'retention'];
const OUTCOMES = ['succeeded', 'failed', 'refused'];

/** Filters that are typed, with their labels. */
const TEXTS = {
  user: 'User',
  operation: 'Operation',
  resource_type: 'Resource type',
  resource: 'Resource',
  address: 'Address',
  request_id: 'Request id',
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

interface AuditFiltersProps {
  readonly search: URLSearchParams;
  readonly onChange: (name: string, value: string | null) => void;
}

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const choice = (name: string, label: string, data: readonly (string | { value: string; label: string })[]) => (
    <Select
      size="xs"
      aria-label={label}
      placeholder={label}
      data={[...data]}
      value={search.get(name)}
      onChange={(value) => onChange(name, value)}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      w={{ base: 'calc(50% - 5px)', sm: 150 }}
    />
  );
  const ranges = Object.entries(RANGES).map(([value, { label }]) => ({ value, label }));
  return (
    <Group gap={10} mb="sm" role="search" aria-label="Filters">
      {choice('kind', 'Kind', KINDS)}
      {choice('outcome', 'Outcome', OUTCOMES)}
      {choice('since', 'Time range', ranges)}
      {Object.entries(TEXTS).map(([name, label]) => (
        <FilterText
          key={name}
          label={label}
          isSearch={name === 'user'}
          value={search.get(name) ?? ''}
          onChange={(text) => onChange(name, text)}
        />
      ))}
    </Group>
  );
}

interface FilterTextProps {
  readonly label: string;
  /** Whether `/` focuses it. */
  readonly isSearch: boolean;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function FilterText({ label, isSearch, value, onChange }: FilterTextProps) {
  const [text, setText] = useState(value);
  const report = useDebouncedCallback(onChange, TYPING_MS);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      size="xs"
      {...(isSearch && { 'data-page-search': true })}
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        report(currentTarget.value.trim());
      }}
      w={{ base: 'calc(50% - 5px)', sm: 150 }}
    />
  );
}
