import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Grid, Group, Loader, Select, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconTrash } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from 'react-router';
import { answerTo, apiClient, type PackDetail } from '../api/client';
import { allActions, allRules } from '../api/queries';
import { packFile, packOf } from './pack-queries';
import { Failure } from '../frame/error-page';
import { Permitted } from '../session/permissions';
import { CodeView } from '../shared/code-view';
import { ResourceHead } from '../shared/resource-head';
import { usePageState } from '../shared/use-page-state';
import { PackConfigurationForm } from './pack-configuration-form';

/** One pack: what it brings, its configuration, and its files. */
export function PackPage() {
  const { ref = '' } = useParams();
  const { data, error, refetch } = useQuery(packOf(ref));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  return (
    <>
      <ResourceHead
        list={{ path: '/packs', label: t`Packs` }}
        within={data.version && t`version ${data.version}`}
        name={data.ref}
        description={data.description}
      >
        <Permitted permission="pack_uninstall" on={[`pack:${ref}`]} to={t`remove this pack`}>
          <RemovePack packRef={ref} />
        </Permitted>
      </ResourceHead>
      <Content packRef={ref} />
      <Grid gutter="lg" mt="md">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Permitted permission="pack_config" on={[`pack:${ref}`]} to={t`configure this pack`}>
            <PackConfigurationForm packRef={ref} />
          </Permitted>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Files pack={data} />
        </Grid.Col>
      </Grid>
    </>
  );
}

/** How many actions and rules the pack brings, with links to them. */
function Content({ packRef }: { packRef: string }) {
  const actions = useQuery(allActions()).data?.filter(({ pack }) => pack === packRef).length;
  const rules = useQuery(allRules()).data?.filter(({ pack }) => pack === packRef).length;
  return (
    <Group gap="md" mt="xs">
      <Anchor component={Link} to={`/actions?text=${packRef}.`} size="sm">
        {actions === undefined ? t`All actions` : plural(actions, { one: '# action', other: '# actions' })}
      </Anchor>
      <Anchor component={Link} to={`/rules?text=${packRef}.`} size="sm">
        {rules === undefined ? t`All rules` : plural(rules, { one: '# rule', other: '# rules' })}
      </Anchor>
    </Group>
  );
}

/** The text of a file, which the address names. */
function Files({ pack: { ref, files = [] } }: { pack: PackDetail }) {
  const [state, change] = usePageState();
  const chosen = state.get('file') ?? files.find((file) => file === 'README.md') ?? files[0] ?? '';
  const { data, error } = useQuery({ ...packFile(ref, chosen), enabled: chosen !== '' });
  return (
    <section>
      <Title order={2} mb="sm">
        <Trans>Files</Trans>
      </Title>
      <Select
        aria-label={t`File`}
        data={[...files].sort((a, b) => a.localeCompare(b))}
        value={chosen}
        onChange={(file) => change({ file })}
        searchable
        allowDeselect={false}
        mb="sm"
      />
      {error && <Failure error={error} />}
      {data !== undefined && <CodeView key={chosen} label={t`Text of ${chosen}`} text={data} maxHeight="60vh" />}
    </section>
  );
}

function RemovePack({ packRef }: { packRef: string }) {
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => answerTo(apiClient.POST('/api/v1/packs/uninstall', { body: { packs: [packRef] } })),
    onSuccess: ({ execution_id: id }) => navigate(`/history/${id}`),
  });
  const ask = () =>
    modals.openConfirmModal({
      title: t`Remove the pack ${packRef}?`,
      children: (
        <Text size="sm">
          <Trans>Its actions, rules, sensors and files are removed. Its configuration file stays.</Trans>
        </Text>
      ),
      labels: { confirm: t`Remove the pack`, cancel: t`Keep it` },
      confirmProps: { color: 'red' },
      onConfirm: () => remove.mutate(),
    });
  return (
    <Button
      size="xs"
      variant="default"
      loading={remove.isPending}
      onClick={ask}
      leftSection={<IconTrash size={14} aria-hidden />}
    >
      <Trans>Remove</Trans>
    </Button>
  );
}
