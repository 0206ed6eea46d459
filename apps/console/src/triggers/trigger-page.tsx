import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Grid, Group, List, Loader, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { eventPage } from '../events/event-queries';
import { outcomeInWords } from '../events/outcome-words';
import { Failure } from '../frame/error-page';
import { RuleLinks } from '../rules/rule-links';
import { ResourceHead } from '../shared/resource-head';
import { RelativeTime } from '../shared/times';
import { SchemaFields } from './schema-fields';
import { triggerTypeOf } from './trigger-queries';

/** One trigger type: its schemas, the rules that use it, and its latest events. */
export function TriggerTypePage() {
  const { ref = '' } = useParams();
  const { data, error, refetch } = useQuery(triggerTypeOf(ref));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  return (
    <>
      <ResourceHead
        list={{ path: '/triggers', label: t`Triggers` }}
        within={data.pack}
        name={data.ref}
        description={data.description}
      />
      <Grid gutter="lg" mt="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Title order={2} mb="sm">
            <Trans>Parameters</Trans>
          </Title>
          <SchemaFields
            schema={data.parameters_schema}
            none={t`None. Each rule that uses this type gets all its events.`}
          />
          <Title order={2} mt="lg" mb="sm">
            <Trans>Payload</Trans>
          </Title>
          <SchemaFields schema={data.payload_schema} none={t`Payloads are not described, and not checked.`} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Title order={2} mb="sm">
            <Trans>Rules</Trans>
          </Title>
          <RuleLinks trigger={data.ref} />
          <LatestEvents type={data.ref} />
        </Grid.Col>
      </Grid>
    </>
  );
}

const SHOWN_EVENTS = 10;

function LatestEvents({ type }: { type: string }) {
  const { data, error } = useQuery(eventPage({ trigger_type: type, status: '' }, 0));
  return (
    <section>
      <Group justify="space-between" mt="lg" mb="sm">
        <Title order={2}>
          <Trans>Latest events</Trans>
        </Title>
        <Anchor component={Link} to={`/events?type=${encodeURIComponent(type)}`} size="sm">
          <Trans>All events of this type</Trans>
        </Anchor>
      </Group>
      {error && <Failure error={error} />}
      {data?.total === 0 && (
        <Text size="sm" c="dimmed">
          <Trans>No events.</Trans>
        </Text>
      )}
      <List size="sm" listStyleType="none" spacing="xs">
        {data?.rows.slice(0, SHOWN_EVENTS).map(({ id, outcome, status, occurrence_time: time }) => (
          <List.Item key={id}>
            <Anchor component={Link} to={`/events/${id}`} size="sm">
              {outcomeInWords(outcome) || status || id}
            </Anchor>
            <Text size="sm" c="dimmed">
              <RelativeTime time={time} />
            </Text>
          </List.Item>
        ))}
      </List>
    </section>
  );
}
