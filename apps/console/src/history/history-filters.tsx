import { Group, Select, Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { filterValues } from '../api/queries';
import { RANGES } from './filter-of';

const TYPING_MS = 400;

export function HistoryFilters() {
  const [search, setSearch] = useSearchParams();
  const { data: values } = useQuery(filterValues());
  const set = (name: string, value: string | null) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value) after.set(name, value);
        else after.delete(name);
        return after;
      },
      { replace: true },
    );
  const choice = (name: string, label: string, data: readonly (string | { value: string; label: string })[] = []) => (
    <Select
      size="xs"
      aria-label={label}
      placeholder={label}
      data={[...data]}
      value={search.get(name)}
      onChange={(value) => set(name, value)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      w={{ base: 'calc(50% - 5px)', sm: 150 }}
    />
  );
  return (
    <Group gap={10} mb="sm" role="search" aria-label="Filters">
      <SearchText value={search.get('text') ?? ''} onChange={(text) => set('text', text)} />
      {choice('status', 'Status', values?.status)}
      {choice('action', 'Action', values?.action)}
      {choice('user', 'User', values?.user)}
      {choice(
        'since',
        'Time range',
        Object.entries(RANGES).map(([value, { label }]) => ({ value, label })),
      )}
      <Switch
        size="xs"
        label="Tasks of workflows"
        checked={search.get('tasks') === 'shown'}
        onChange={(event) => set('tasks', event.currentTarget.checked ? 'shown' : null)}
      />
    </Group>
  );
}

function SearchText({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(value);
  const report = useDebouncedCallback(onChange, TYPING_MS);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      size="xs"
      data-page-search
      aria-label="Search executions"
      placeholder="Id, action, or field:value"
      leftSection={<IconSearch size={14} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        report(event.currentTarget.value);
      }}
      w={{ base: '100%', sm: 240 }}
    />
  );
}
