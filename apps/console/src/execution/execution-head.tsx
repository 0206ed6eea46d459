import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Breadcrumbs, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ShownExecution } from '../api/client';
import { textMember } from '../shared/text-member';
import { StatusBadge } from '../shared/status-badge';
import { Duration, RelativeTime } from '../shared/times';
import { ExecutionControls } from './execution-controls';

/** The status of an execution, its times and its error. */
export function ExecutionHead({ of }: { of: ShownExecution }) {
  const { action, status, context = {}, parent, rule, trigger_instance: event, waiting_for: waitingFor } = of;
  const trace = (context['trace_context'] ?? {}) as { trace_tag?: string; id_?: string };
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/history" size="sm">
          <Trans>History</Trans>
        </Anchor>
        {parent && (
          <Anchor component={Link} to={`/history/${parent}`} size="sm">
            <Trans>Parent execution</Trans>
          </Anchor>
        )}
        <Text size="sm" ff="monospace">
          {of.id}
        </Text>
      </Breadcrumbs>
      <Group justify="space-between" align="flex-start">
        <Group gap="sm">
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {action.ref}
          </Title>
          <StatusBadge status={status} />
        </Group>
        <ExecutionControls of={of} />
      </Group>
      {action.description && <Text c="dimmed">{action.description}</Text>}
      <SimpleGrid cols={{ base: 2, sm: 3, md: 6 }} spacing="xs" component="dl" m={0}>
        <Fact name={t`Started`}>
          <RelativeTime time={of.start_timestamp} />
        </Fact>
        <Fact name={t`Duration`}>
          <Duration of={of} />
        </Fact>
        <Fact name={t`User`}>{textMember(context, 'user')}</Fact>
        <Fact name={t`Rule`}>{linked('/rules/', textMember(rule, 'ref'), textMember(rule, 'ref', 'name'))}</Fact>
        <Fact name={t`Event`}>{linked('/events/', textMember(event, 'id'), textMember(event, 'trigger'))}</Fact>
        <Fact name={t`Trace`}>{trace.trace_tag}</Fact>
        <Fact name={t`Waits for`}>{waitingFor}</Fact>
      </SimpleGrid>
    </Stack>
  );
}

const linked = (path: string, id: string, text: string): ReactNode =>
  id === '' ? (
    text
  ) : (
    <Anchor component={Link} to={`${path}${id}`} size="sm">
      {text}
    </Anchor>
  );

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === '') return null;
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}
