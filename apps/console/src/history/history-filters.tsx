import { t } from '@lingui/core/macro';
import { Group, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { filterValues } from '../api/queries';
import { FilterChoice, FilterText } from '../shared/filters';
import { usePageState } from '../shared/use-page-state';
import { SavedFiltersMenu } from './saved-filters-menu';
import { TimeRangeFilter } from './time-range-filter';

export function HistoryFilters() {
  const [state, change] = usePageState();
  const { data: values } = useQuery(filterValues());
  const of = (name: string) => ({
    value: state.get(name),
    onChange: (value: string | null) => change({ [name]: value }),
  });
  return (
    <Group gap={10} mb="sm" role="search" aria-label={t`Filters`}>
      <FilterText
        label={t`Search executions`}
        placeholder={t`Id, action, or field:value`}
        value={state.get('text') ?? ''}
        onChange={(text) => change({ text })}
        width={{ base: '100%', sm: 240 }}
        isSearch
      />
      <FilterChoice label={t`Status`} choices={values?.status ?? []} {...of('status')} />
      <FilterChoice label={t`Action`} choices={values?.action ?? []} {...of('action')} />
      <FilterChoice label={t`User`} choices={values?.user ?? []} {...of('user')} />
      <TimeRangeFilter />
      <Switch
        size="xs"
        label={t`Tasks of workflows`}
        checked={state.get('tasks') === 'shown'}
        onChange={(event) => change({ tasks: event.currentTarget.checked ? 'shown' : null })}
      />
      <SavedFiltersMenu />
    </Group>
  );
}
