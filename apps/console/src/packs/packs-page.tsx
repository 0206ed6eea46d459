import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Box, Loader, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { allPacks } from './pack-queries';
import { Failure } from '../frame/error-page';
import { Permitted } from '../session/permissions';
import { PageSearch } from '../shared/page-search';
import { usePageState } from '../shared/use-page-state';
import { InstallPacks } from './install-packs';
import { packMatches } from './pack-search';

/** The installed packs, and those of the index. The address holds the tab and the search. */
export function PacksPage() {
  const [state, change] = usePageState();
  const text = state.get('text') ?? '';
  const tab = state.get('tab') === 'index' ? 'index' : 'installed';
  return (
    <>
      <Title order={1} mb="sm">
        <Trans>Packs</Trans>
      </Title>
      <PageSearch
        label={t`Search packs`}
        placeholder={t`Name, description or keyword`}
        value={text}
        onChange={(value) => change({ text: value })}
      />
      <Tabs value={tab} onChange={(next) => change({ tab: next === 'index' ? next : null })} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="installed">
            <Trans>Installed</Trans>
          </Tabs.Tab>
          <Tabs.Tab value="index">
            <Trans>Install</Trans>
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="installed" pt="sm">
          <InstalledPacks text={text} />
        </Tabs.Panel>
        <Tabs.Panel value="index" pt="sm">
          <Permitted permission="pack_install" to={t`install packs`}>
            <InstallPacks text={text} />
          </Permitted>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function InstalledPacks({ text }: { text: string }) {
  const { data, error, refetch } = useQuery(allPacks());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  const found = data.filter((pack) => packMatches(pack, text));
  if (found.length === 0) {
    return (
      <Alert color="gray" title={t`No packs`}>
        <Trans>No installed pack matches. Search for another word, or install one.</Trans>
      </Alert>
    );
  }
  return (
    <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {found.map(({ id, ref = id, version, description, unreadable }, index) => (
        <li key={id} style={{ height: 44 }}>
          <Link to={`/packs/${ref}`} className="row-link" data-list-row={index}>
            <Text size="sm" fw={500} style={{ flexShrink: 0 }}>
              {ref}
            </Text>
            <Text size="sm" c="dimmed" className="visually-clipped" style={{ flexGrow: 1 }}>
              {unreadable ?? description}
            </Text>
            <Text size="sm" c="dimmed" style={{ flexShrink: 0 }}>
              {version}
            </Text>
          </Link>
        </li>
      ))}
    </Box>
  );
}
