import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import type { SensorRow } from '../api/client';

const COLORS: Readonly<Record<string, string>> = {
  starting: 'blue',
  running: 'green',
  waiting: 'orange',
  blocked: 'red',
};

/** The state of a sensor, which has none before a container has run it. */
export function SensorStateBadge({ of: { state } }: { of: SensorRow }) {
  const name = state?.name ?? t`never run`;
  return (
    <Badge variant="dot" tt="none" color={COLORS[name] ?? 'gray'} style={{ flexShrink: 0 }}>
      {name}
    </Badge>
  );
}
