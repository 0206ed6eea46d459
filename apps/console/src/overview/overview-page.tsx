import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Group, Loader, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { executionStatistics } from '../api/queries';
import { Failure } from '../frame/error-page';
import { RANGES } from '../history/filter-of';
import { useMay } from '../session/permissions';
import { exactText } from '../shared/times';
import { usePageState } from '../shared/use-page-state';
import { ActionFailures } from './action-failures';
import { LastFailures } from './last-failures';
import { SystemWork } from './system-work';
import { WaitingInquiries } from './waiting-inquiries';
import { shownNumber } from '../locales/language';

const StatusChart = lazy(async () => ({ default: (await import('../shared/status-chart')).StatusChart }));
const DurationChart = lazy(async () => ({ default: (await import('./duration-chart')).DurationChart }));

const DEFAULT_RANGE = '1h';

/** What has happened in the last minutes to days. The address holds the range. */
export function OverviewPage() {
  const [state, change] = usePageState();
  const chosen = state.get('since') ?? '';
  const range = chosen in RANGES ? chosen : DEFAULT_RANGE;
  const seesSystem = useMay('administrators');
  const seconds = RANGES[range]?.seconds ?? 0;
  const { data, error, refetch } = useQuery(executionStatistics({}, { from: seconds }));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={1}>
          <Trans>Overview</Trans>
        </Title>
        <Select
          size="xs"
          aria-label={t`Time range`}
          data={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
          value={range}
          onChange={(value) => change({ since: value })}
          allowDeselect={false}
        />
      </Group>
      {!data && <Loader aria-label={t`Loading`} />}
      {data && !data.complete && (
        <Alert color="gray">
          <Trans>
            These are the newest {shownNumber(data.executions)} executions, from {exactText(data.counted_from)} on.
          </Trans>
        </Alert>
      )}
      {data && (
        <Suspense fallback={<Loader aria-label={t`Loading`} />}>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Part title={t`Executions`}>
              <StatusChart statistics={data} />
            </Part>
            <Part title={t`Durations`}>
              <DurationChart statistics={data} />
            </Part>
          </SimpleGrid>
        </Suspense>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Part title={t`Failures by action`}>{data && <ActionFailures actions={data.actions} />}</Part>
        <Part title={t`Last failures`}>
          <LastFailures />
        </Part>
        <Part title={t`Open inquiries`}>
          <WaitingInquiries />
        </Part>
        {seesSystem && (
          <Part title={t`System`}>
            <SystemWork />
          </Part>
        )}
      </SimpleGrid>
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} style={{ minWidth: 0 }}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {children ?? (
        <Text c="dimmed">
          <Trans>Loading</Trans>
        </Text>
      )}
    </section>
  );
}
