import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Badge, Box, Loader, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { ActionRow } from '../api/client';
import { allActions } from '../api/queries';
import { Failure } from '../frame/error-page';
import { ListHead } from '../shared/list-head';
import { PageSearch } from '../shared/page-search';
import { usePageState } from '../shared/use-page-state';
import { shownNumber } from '../locales/language';

/** The most rows to show; the search narrows them down. */
const MOST_ROWS = 400;

/** All actions by pack. The address holds the search. */
export function ActionsPage() {
  const [state, change] = usePageState();
  const text = state.get('text') ?? '';
  const { data, error, refetch } = useQuery(allActions());
  const found = useMemo(() => matchingActions(data ?? [], text), [data, text]);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  return (
    <>
      <ListHead title={t`Actions`} count={t`${shownNumber(found.length)} of ${shownNumber(data.length)}`} />
      <PageSearch
        label={t`Search actions`}
        placeholder={t`Pack, name or description`}
        value={text}
        onChange={(value) => change({ text: value })}
      />
      {found.length === 0 && (
        <Alert color="gray" title={t`No actions`}>
          <Trans>No action matches. Search for another word, or install a pack.</Trans>
        </Alert>
      )}
      <Packs actions={found.slice(0, MOST_ROWS)} />
      {found.length > MOST_ROWS && (
        <Text c="dimmed" size="sm">
          <Trans>{found.length - MOST_ROWS} more. Search to see them.</Trans>
        </Text>
      )}
    </>
  );
}

function Packs({ actions }: { actions: readonly ActionRow[] }) {
  const packs = Map.groupBy(actions, ({ pack = '' }) => pack);
  let row = 0;
  return [...packs].map(([pack, members]) => (
    <Box key={pack} component="section" mb="md">
      <Title order={2} mb={4}>
        {pack}
      </Title>
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {members.map((each) => (
          <li key={each.id} style={{ height: 40 }}>
            <Link to={`/actions/${each.ref ?? ''}`} className="row-link" data-list-row={row++}>
              <Text size="sm" fw={500} style={{ flexShrink: 0 }}>
                {each.name}
              </Text>
              <Text size="sm" c="dimmed" className="visually-clipped" style={{ flexGrow: 1 }}>
                {each.description}
              </Text>
              {each.enabled === false && (
                <Badge variant="default" tt="none">
                  <Trans>disabled</Trans>
                </Badge>
              )}
              <Text size="xs" c="dimmed" visibleFrom="sm">
                {each.runner_type}
              </Text>
            </Link>
          </li>
        ))}
      </Box>
    </Box>
  ));
}

function matchingActions(actions: readonly ActionRow[], text: string): readonly ActionRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ ref = '', description = '' }: ActionRow) => {
    const searched = `${ref} ${description}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  };
  return actions.filter(matches).toSorted((a, b) => (a.ref ?? '').localeCompare(b.ref ?? ''));
}
