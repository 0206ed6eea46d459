import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Code, List, Loader, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { SensorDetail } from '../api/client';
import { Failure } from '../frame/error-page';
import { ResourceHead } from '../shared/resource-head';
import { exactText } from '../shared/times';
import { LogOfSensor } from './sensor-log';
import { sensorOf } from './sensor-queries';
import { SensorStateBadge } from './sensor-state';
import { SensorSwitch } from './sensors-page';

/** One sensor: the state of its process, how the process last ended, and the trigger types of the sensor. */
export function SensorPage() {
  const { ref = '' } = useParams();
  const { data, error, refetch } = useQuery(sensorOf(ref));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  return (
    <>
      <ResourceHead
        list={{ path: '/sensors', label: t`Sensors` }}
        within={data.pack}
        name={data.ref}
        description={data.description}
      >
        <SensorSwitch sensor={data} />
        <SensorStateBadge of={data} />
      </ResourceHead>
      {data.state?.reason && (
        <Alert color="red" title={t`It cannot start`} mt="sm">
          {data.state.reason}
        </Alert>
      )}
      <Process of={data} />
      <LastExit of={data} />
      <LogOfSensor sensor={data.ref} />
      <Title order={2} mt="lg" mb="sm">
        <Trans>Trigger types</Trans>
      </Title>
      <List size="sm" listStyleType="none">
        {data.trigger_types.map((type) => (
          <List.Item key={type}>
            <Anchor component={Link} to={`/triggers/${type}`} size="sm">
              {type}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </>
  );
}

function Process({ of: { entry_point: entryPoint, poll_interval: interval, state } }: { of: SensorDetail }) {
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    [t`Entry point`, entryPoint],
    [t`Polls`, interval && t`every ${interval} seconds`],
    [t`Host`, state?.host],
    [t`Process`, state?.pid],
    [t`Started`, state?.started_at && exactText(state.started_at)],
    [t`Restarts`, state?.restarts],
    [t`Next start`, state?.next_start_at && exactText(state.next_start_at)],
  ];
  return (
    <section>
      <Title order={2} mt="lg" mb="sm">
        <Trans>Process</Trans>
      </Title>
      <Table variant="vertical" layout="fixed" maw={640}>
        <Table.Tbody>
          {facts
            .filter(([, value]) => value !== undefined)
            .map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th w={140}>{name}</Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** The API keeps the last output of the last process that failed. */
function LastExit({ of: { state } }: { of: SensorDetail }) {
  const exit = state?.last_exit;
  if (!exit) return null;
  const how = exit.signal === null ? t`with code ${String(exit.exit_code)}` : t`by ${exit.signal}`;
  return (
    <section>
      <Title order={2} mt="lg" mb="sm">
        <Trans>Last exit</Trans>
      </Title>
      <Text size="sm" mb="xs">
        <Trans>
          It ended {how} on {exactText(exit.at)}.
        </Trans>
      </Text>
      {exit.reason && (
        <Code
          block
          tabIndex={0}
          aria-label={t`Last output`}
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {exit.reason}
        </Code>
      )}
    </section>
  );
}
