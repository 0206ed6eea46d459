import { t } from '@lingui/core/macro';
import { createSpotlight, Spotlight, useSpotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { IconPlayerPlay, IconSearch, IconSitemap } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { useNavigate, type NavigateFunction } from 'react-router';
import type { ActionRow } from '../api/client';
import { allActions } from '../api/queries';
import { ANY_RESOURCE, useMay } from '../session/permissions';
import { useSections, type Section } from './sections';

const [paletteStore, palette] = createSpotlight();

/** @returns a function that opens the palette once the actions are there, or cannot be read */
export function useCommandPalette(): () => Promise<void> {
  const client = useQueryClient();
  const mayList = useMay('action_list');
  return useCallback(async () => {
    if (mayList) await client.prefetchQuery(allActions());
    palette.open();
  }, [client, mayList]);
}

const EXECUTION_ID = /^[0-9a-f]{24}$/;

/** Opens pages, actions, and executions by their id. Ctrl-K opens it. */
export function CommandPalette() {
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const { opened: isOpen } = useSpotlight(paletteStore);
  const mayList = useMay('action_list');
  const mayCreate = useMay('action_create', ANY_RESOURCE);
  const sections = useSections();
  const { data: actions = [] } = useQuery({ ...allActions(), enabled: isOpen && mayList });
  const entries = [
    ...sectionEntries(sections, navigate),
    ...(mayCreate ? [newWorkflowEntry(navigate)] : []),
    ...executionEntry(query, navigate),
    ...actionEntries(actions, navigate),
  ];
  return (
    <Spotlight
      store={paletteStore}
      actions={entries}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      limit={12}
      nothingFound={t`Nothing found`}
      searchProps={{
        'aria-label': t`Go to`,
        placeholder: t`A page, an action, or the id of an execution`,
        leftSection: <IconSearch size={16} aria-hidden />,
      }}
    />
  );
}

const sectionEntries = (sections: readonly Section[], navigate: NavigateFunction): SpotlightActionData[] =>
  sections.map(({ path, label, Icon, key }) => ({
    id: path,
    label,
    description: `g ${key}`,
    leftSection: <Icon size={18} aria-hidden />,
    onClick: () => void navigate(path),
  }));

const newWorkflowEntry = (navigate: NavigateFunction): SpotlightActionData => ({
  id: '/workflows/new',
  label: t`New workflow`,
  description: t`Write a workflow and save it into a pack`,
  leftSection: <IconSitemap size={18} aria-hidden />,
  onClick: () => void navigate('/workflows/new'),
});

const executionEntry = (query: string, navigate: NavigateFunction): SpotlightActionData[] =>
  EXECUTION_ID.test(query)
    ? [
        {
          id: query,
          label: query,
          description: t`Open the execution`,
          onClick: () => void navigate(`/history/${query}`),
        },
      ]
    : [];

const actionEntries = (actions: readonly ActionRow[], navigate: NavigateFunction): SpotlightActionData[] =>
  actions.map(({ ref = '', description }) => ({
    id: ref,
    label: ref,
    ...(description ? { description } : {}),
    leftSection: <IconPlayerPlay size={18} aria-hidden />,
    onClick: () => void navigate(`/actions/${ref}`),
  }));
