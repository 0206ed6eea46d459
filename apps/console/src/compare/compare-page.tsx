import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Breadcrumbs, Group, Loader, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import type { ShownExecution } from '../api/client';
import { execution } from '../api/queries';
import { StatusLog } from '../execution/status-log';
import { Failure } from '../frame/error-page';
import { StatusBadge } from '../shared/status-badge';
import { textMember } from '../shared/text-member';
import { durationText, RelativeTime } from '../shared/times';
import { usePageState } from '../shared/use-page-state';
import { DifferenceTable } from './difference-table';
import { comparedValues } from './differences';
import { shownNumber } from '../locales/language';

/** Two runs side by side. The address names both, and whether only the differences are shown. */
export function ComparePage() {
  const { id = '', other = '' } = useParams();
  const [left, right] = [useQuery(execution(id)), useQuery(execution(other))];
  const failed = [left, right].find(({ error }) => error !== null);
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!left.data || !right.data) return <Loader aria-label={t`Loading`} />;
  return <Comparison left={left.data} right={right.data} />;
}

function Comparison({ left, right }: { left: ShownExecution; right: ShownExecution }) {
  const [state, change] = usePageState();
  const only = state.get('only') === 'differences';
  const table = (label: string, first: unknown, second: unknown) => (
    <DifferenceTable label={label} values={comparedValues(first, second)} onlyDifferences={only} />
  );
  return (
    <Stack gap="md">
      <Breadcrumbs>
        <Anchor component={Link} to="/history" size="sm">
          <Trans>History</Trans>
        </Anchor>
        <Anchor component={Link} to={`/history/${left.id}`} size="sm" ff="monospace">
          {left.id}
        </Anchor>
      </Breadcrumbs>
      <Group justify="space-between">
        <Title order={1}>
          <Trans>Comparison of two runs</Trans>
        </Title>
        <Switch
          label={t`Only differences`}
          checked={only}
          onChange={(event) => change({ only: event.currentTarget.checked ? 'differences' : null })}
        />
      </Group>
      <SimpleGrid cols={2}>
        <RunLink name={t`First run`} of={left} />
        <RunLink name={t`Second run`} of={right} />
      </SimpleGrid>
      <Part title={t`Summary`}>{table(t`Summary`, summaryOf(left), summaryOf(right))}</Part>
      <Part title={t`Parameters`}>{table(t`Parameters`, left.parameters ?? {}, right.parameters ?? {})}</Part>
      <Part title={t`Result`}>
        {largeResult(t`first`, left) ?? largeResult(t`second`, right) ?? table(t`Result`, left.result, right.result)}
      </Part>
      <Part title={t`Log`}>
        {only && statusesOf(left) === statusesOf(right) ? (
          <Text c="dimmed">
            <Trans>Both runs had the same statuses.</Trans>
          </Text>
        ) : (
          <SimpleGrid cols={2}>
            <StatusLog of={left} />
            <StatusLog of={right} />
          </SimpleGrid>
        )}
      </Part>
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

function RunLink({ name, of: { id, status, start_timestamp: start } }: { name: string; of: ShownExecution }) {
  return (
    <div>
      <Group gap="xs">
        <Anchor component={Link} to={`/history/${id}`}>
          {name}
        </Anchor>
        <StatusBadge status={status} />
      </Group>
      <Text size="sm" c="dimmed">
        <RelativeTime time={start} />
      </Text>
    </div>
  );
}

/** What two runs are compared by, besides their values. */
function summaryOf({ action, status, start_timestamp: start, end_timestamp: end, context, rule }: ShownExecution) {
  return {
    action: action.ref,
    status,
    ...(end ? { duration: durationText((Date.parse(end) - Date.parse(start)) / 1000) } : {}),
    user: textMember(context, 'user'),
    ...(rule ? { rule: textMember(rule, 'ref', 'name') } : {}),
  };
}

function largeResult(name: string, { result, result_size: size = 0 }: ShownExecution): ReactNode {
  if (result !== undefined || size === 0) return undefined;
  return (
    <Alert color="gray">
      <Trans>
        The result of the {name} run has {shownNumber(size)} bytes, which is too large to be compared here.
      </Trans>
    </Alert>
  );
}

const statusesOf = ({ log = [] }: ShownExecution): string => log.map(({ status }) => status).join();
