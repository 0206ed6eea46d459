import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Box, Button, Group, Loader, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconDownload } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { answerTo, apiClient } from '../api/client';
import { allPacks, packIndex } from './pack-queries';
import { packMatches } from './pack-search';

const MOST_ROWS = 100;

/** Installs a pack of the index, or one by its address. The page of the execution shows the progress. */
export function InstallPacks({ text }: { text: string }) {
  const navigate = useNavigate();
  const [address, setAddress] = useState('');
  const install = useMutation({
    mutationFn: (pack: string) =>
      answerTo(
        apiClient.POST('/api/v1/packs/install', { body: { packs: [pack], force: false, skip_dependencies: false } }),
      ),
    onSuccess: ({ execution_id: id }) => navigate(`/history/${id}?tab=output`),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (address.trim() !== '') install.mutate(address.trim());
  };
  return (
    <>
      <form onSubmit={submit}>
        <Group align="flex-end" mb="md">
          <TextInput
            label={t`Name or address`}
            description={t`A name in the index, owner/repository, the address of a Git repository, or a folder; =version may follow`}
            value={address}
            onChange={({ currentTarget: { value } }) => setAddress(value)}
            w={{ base: '100%', sm: 480 }}
          />
          <Button type="submit" loading={install.isPending} leftSection={<IconDownload size={16} aria-hidden />}>
            <Trans>Install</Trans>
          </Button>
        </Group>
      </form>
      <Index text={text} onInstall={(name) => install.mutate(name)} />
    </>
  );
}

function Index({ text, onInstall }: { text: string; onInstall: (name: string) => void }) {
  const { data, error } = useQuery(packIndex());
  const { data: installed = [] } = useQuery(allPacks());
  if (error) return <NoIndex reason={error.message} />;
  if (!data) return <Loader aria-label={t`Loading the index`} />;
  const packs = Object.entries(data.index).filter(([, pack]) => packMatches(pack, text));
  const problems = data.status.filter(({ error: reason }) => Boolean(reason));
  const present = new Set(installed.map(({ ref }) => ref));
  return (
    <>
      {problems.map(({ url, message }) => (
        <NoIndex key={url} reason={`${url}: ${message}`} />
      ))}
      {packs.length === 0 && problems.length === 0 && (
        <Text c="dimmed">
          <Trans>No pack of the index matches.</Trans>
        </Text>
      )}
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {packs.slice(0, MOST_ROWS).map(([name, { version, description }]) => (
          <li key={name}>
            <Group wrap="nowrap" py={6} px="sm">
              <Text size="sm" fw={500} style={{ flexShrink: 0 }}>
                {name}
              </Text>
              <Text size="sm" c="dimmed" className="visually-clipped" style={{ flexGrow: 1 }}>
                {description}
              </Text>
              <Text size="sm" c="dimmed">
                {version}
              </Text>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t`Install ${name}`}
                disabled={present.has(name)}
                onClick={() => onInstall(name)}
              >
                {present.has(name) ? t`Installed` : t`Install`}
              </Button>
            </Group>
          </li>
        ))}
      </Box>
      {packs.length > MOST_ROWS && (
        <Text c="dimmed" size="sm">
          <Trans>{packs.length - MOST_ROWS} more. Search to see them.</Trans>
        </Text>
      )}
    </>
  );
}

const NoIndex = ({ reason }: { reason: string }) => (
  <Alert color="orange" title={t`An index cannot be read`} mb="sm">
    <Text size="sm">{reason}</Text>
    <Text size="sm">
      <Trans>Packs can still be installed by their address.</Trans>
    </Text>
  </Alert>
);
