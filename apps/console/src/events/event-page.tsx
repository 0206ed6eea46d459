import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Breadcrumbs, Button, Grid, Group, List, Loader, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconRepeat } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { answerTo, apiClient, type EventDetail } from '../api/client';
import { allRules, enforcementsOf, keys } from '../api/queries';
import { eventOf } from './event-queries';
import { Failure } from '../frame/error-page';
import { EnforcementList } from '../rules/enforcement-list';
import { listensTo, ruleInWords, triggerTitle } from '../rules/rule-words';
import { Permitted } from '../session/permissions';
import { JsonValue } from '../shared/json-value';
import { StatusBadge } from '../shared/status-badge';
import { exactText, RelativeTime } from '../shared/times';
import { outcomeInWords } from './outcome-words';

/** One trigger instance: its payload, which rules it matched, and what they ran. */
export function EventPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(eventOf(id));
  const { data: rules = [] } = useQuery(allRules());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  return (
    <>
      <Breadcrumbs mb="xs">
        <Anchor component={Link} to="/events" size="sm">
          <Trans>Events</Trans>
        </Anchor>
        <Text size="sm" ff="monospace">
          {data.id}
        </Text>
      </Breadcrumbs>
      <Group justify="space-between" align="flex-start">
        <Group gap="sm">
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {triggerTitle(data.trigger, rules)}
          </Title>
          <StatusBadge status={data.status} />
        </Group>
        <Permitted permission="administrators" to={t`emit it again`}>
          <EmitAgain event={data} />
        </Permitted>
      </Group>
      <Text c="dimmed" size="sm" mb="md">
        {exactText(data.occurrence_time)}, <RelativeTime time={data.occurrence_time} />
      </Text>
      <Grid gutter="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Title order={2} mb="sm">
            <Trans>Payload</Trans>
          </Title>
          <JsonValue value={data.payload} label={t`payload`} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Outcome of={data} />
          <EnforcementList
            of={enforcementsOf({ trigger_instance: id })}
            none={t`No rule has run an action for this event.`}
          />
        </Grid.Col>
      </Grid>
    </>
  );
}

/** Which rules matched, which did not, and why an event could not be processed. */
function Outcome({ of: { trigger, outcome } }: { of: EventDetail }) {
  const { data: rules = [] } = useQuery(allRules());
  const matched = outcome?.matched ?? rules.map(({ ref }) => ref);
  const missed = rules.filter((rule) => rule.enabled && listensTo(rule, trigger) && !matched.includes(rule.ref ?? ''));
  return (
    <section>
      <Title order={2} mb="sm">
        <Trans>Rules</Trans>
      </Title>
      {outcome?.reason && <Alert color="red">{outcome.reason}</Alert>}
      {outcome?.warnings?.map((warning) => (
        <Alert key={warning} color="orange" mb="xs">
          {warning}
        </Alert>
      ))}
      <Text size="sm" mb="xs">
        {outcome === undefined ? t`The rules have not been evaluated yet.` : t`Result: ${outcomeInWords(outcome)}.`}
      </Text>
      <List size="sm" mb="md" listStyleType="none">
        {missed.map((rule) => (
          <List.Item key={rule.id}>
            <Anchor component={Link} to={`/rules/${rule.ref ?? rule.id}`} size="sm">
              {rule.ref}
            </Anchor>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              <Trans>Did not match, or was added later. {ruleInWords(rule)}</Trans>
            </Text>
          </List.Item>
        ))}
      </List>
    </section>
  );
}

function EmitAgain({ event: { id } }: { event: EventDetail }) {
  const client = useQueryClient();
  const emit = useMutation({
    mutationFn: () => answerTo(apiClient.POST('/api/v1/triggerinstances/{id}/re_emit', { params: { path: { id } } })),
    onSuccess: () =>
      notifications.show({ title: t`Emitted again`, message: t`The rules evaluate a new event with this payload.` }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.events }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={emit.isPending}
      onClick={() => emit.mutate()}
      leftSection={<IconRepeat size={14} aria-hidden />}
    >
      <Trans>Emit again</Trans>
    </Button>
  );
}
