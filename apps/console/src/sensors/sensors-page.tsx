import { t } from '@lingui/core/macro';
import { Alert, Anchor, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { SensorRow } from '../api/client';
import { Failure } from '../frame/error-page';
import { containsWords } from '../shared/contains-words';
import { EnabledSwitch } from '../shared/enabled-switch';
import { ListByPack } from '../shared/list-by-pack';
import { ListHead } from '../shared/list-head';
import { PageSearch } from '../shared/page-search';
import { usePageState } from '../shared/use-page-state';
import { allSensors, enableSensor, SENSORS } from './sensor-queries';
import { SensorStateBadge } from './sensor-state';

/** All sensors by pack, with their states and a switch for each. The address holds the search. */
export function SensorsPage() {
  const [state, change] = usePageState();
  const text = state.get('text') ?? '';
  const { data, error, refetch } = useQuery(allSensors());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  const found = data.filter(({ ref, description, state }) => containsWords(text, ref, description, state?.name));
  return (
    <>
      <ListHead title={t`Sensors`} count={t`${found.length} of ${data.length}`} />
      <PageSearch
        label={t`Search sensors`}
        placeholder={t`Pack, name, description or state`}
        value={text}
        onChange={(value) => change({ text: value })}
      />
      {found.length === 0 && (
        <Alert color="gray" title={t`No sensors`}>
          {text === '' ? t`Install a pack with sensors.` : t`No sensor matches. Search for another word.`}
        </Alert>
      )}
      <ListByPack rows={found}>{(sensor, index) => <SensorLine sensor={sensor} index={index} />}</ListByPack>
    </>
  );
}

function SensorLine({ sensor, index }: { sensor: SensorRow; index: number }) {
  const { id, ref = id, name = ref, description, unreadable } = sensor;
  return (
    <Group wrap="nowrap" py="xs" px="sm">
      <SensorSwitch sensor={sensor} />
      <Stack gap={2} style={{ minWidth: 0, flexGrow: 1 }}>
        <Anchor component={Link} to={`/sensors/${ref}`} fw={500} data-list-row={index}>
          {name}
        </Anchor>
        <Text size="sm" c="dimmed" className="visually-clipped">
          {unreadable ?? description}
        </Text>
      </Stack>
      <SensorStateBadge of={sensor} />
    </Group>
  );
}

/** Enables or disables a sensor. A container starts or stops its process. */
export function SensorSwitch({ sensor: { id, ref = id, enabled } }: { sensor: SensorRow }) {
  return (
    <EnabledSwitch
      type="sensor_type"
      name={ref}
      enabled={enabled}
      change={(next) => enableSensor(ref, next)}
      changed={[SENSORS]}
    />
  );
}
