import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Breadcrumbs, Button, Grid, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { answerTo, apiClient, type ActionDetail } from '../api/client';
import { action, execution } from '../api/queries';
import { Failure } from '../frame/error-page';
import { Permitted, uidOfRef } from '../session/permissions';
import { ActionSource } from './action-source';
import { ActionUses } from './action-uses';
import { ParameterForm } from './parameter-form';
import { changedValues, readParameters, textsOf, type FieldTexts, type ParameterFields } from './parameter-values';
import { RecentRuns } from './recent-runs';
import { RequestPreview, type RequestedRun } from './request-preview';

/** One action: a form that runs it, and its recent runs. `rerun` in the address names the execution to run again. */
export function ActionPage() {
  const { ref = '' } = useParams();
  const [search] = useSearchParams();
  const rerunOf = search.get('rerun') ?? undefined;
  const found = useQuery(action(ref));
  const earlier = useQuery({ ...execution(rerunOf ?? ''), enabled: rerunOf !== undefined });
  const error = found.error ?? earlier.error;
  if (error) return <Failure error={error} onRetry={() => void found.refetch()} />;
  if (!found.data || (rerunOf !== undefined && !earlier.data)) return <Loader aria-label={t`Loading`} />;
  const { about, parameters } = found.data;
  return (
    <>
      <ActionHead about={about} />
      <Grid mt="md" gutter="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <RunForm
            key={rerunOf ?? ref}
            actionRef={ref}
            fields={parameters}
            rerunOf={rerunOf}
            before={textsOf(earlier.data?.parameters ?? {})}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <RecentRuns actionRef={ref} />
          <ActionUses actionRef={ref} />
        </Grid.Col>
      </Grid>
      {about.entry_point && <ActionSource actionRef={ref} entryPoint={about.entry_point} />}
    </>
  );
}

function ActionHead({ about }: { about: ActionDetail }) {
  return (
    <Stack gap="xs">
      <Breadcrumbs>
        <Anchor component={Link} to="/actions" size="sm">
          <Trans>Actions</Trans>
        </Anchor>
        <Anchor component={Link} to={`/actions?text=${about.pack}.`} size="sm">
          {about.pack}
        </Anchor>
      </Breadcrumbs>
      <Title order={1} style={{ overflowWrap: 'anywhere' }}>
        {about.ref}
      </Title>
      <Text c="dimmed">
        {about.description ? `${about.description} ` : ''}
        <Trans>Runner: {about.runner_type}.</Trans>
      </Text>
      {about.runner_type === 'orquesta' && (
        <Anchor component={Link} to={`/workflows/${about.ref}/edit`} size="sm">
          <Trans>Edit the workflow</Trans>
        </Anchor>
      )}
      {about.enabled === false && (
        <Alert color="orange">
          <Trans>This action is disabled, so it cannot be run.</Trans>
        </Alert>
      )}
    </Stack>
  );
}

interface RunFormProps {
  readonly actionRef: string;
  readonly fields: ParameterFields;
  readonly rerunOf: string | undefined;
  readonly before: FieldTexts;
}

function RunForm({ actionRef, fields, rerunOf, before }: RunFormProps) {
  const navigate = useNavigate();
  const [texts, setTexts] = useState<FieldTexts>(before);
  const [showsProblems, setShowsProblems] = useState(false);
  const { values, problems } = readParameters(fields, texts);
  const parameters = rerunOf === undefined ? values : changedValues(values, before);
  const request: RequestedRun = { ref: actionRef, rerunOf, parameters };
  const run = useMutation({
    mutationFn: () => send(request),
    onSuccess: ({ id, liveaction }) => navigate(`/history/${id}${liveaction?.action_is_workflow ? '' : '?tab=output'}`),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowsProblems(true);
    if (Object.keys(problems).length === 0) run.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Title order={2} mb="sm">
        {rerunOf === undefined ? t`Run` : t`Run again with changes`}
      </Title>
      <ParameterForm
        fields={fields}
        texts={texts}
        problems={showsProblems ? problems : {}}
        onChange={(name, text) => setTexts((shown) => ({ ...shown, [name]: text }))}
      />
      <Group my="md">
        <Permitted
          permission={rerunOf === undefined ? 'action_execute' : 'execution_rerun'}
          on={[uidOfRef('action', actionRef), `execution:${rerunOf ?? ''}`]}
          to={t`run this action`}
        >
          <Button type="submit" loading={run.isPending} leftSection={<IconPlayerPlay size={16} aria-hidden />}>
            <Trans>Run</Trans>
          </Button>
        </Permitted>
      </Group>
      <Paper withBorder p="sm">
        <RequestPreview request={request} fields={fields} />
      </Paper>
    </form>
  );
}

/** The API document describes parameters as objects without known members. */
type GivenParameters = Record<string, never>;

const send = ({ ref, rerunOf, parameters }: RequestedRun) =>
  rerunOf === undefined
    ? answerTo(
        apiClient.POST('/api/v1/executions', { body: { action: ref, parameters: parameters as GivenParameters } }),
      )
    : answerTo(
        apiClient.POST('/api/v1/executions/{id}/re_run', {
          params: { path: { id: rerunOf } },
          body: { parameters: parameters as GivenParameters },
        }),
      );
