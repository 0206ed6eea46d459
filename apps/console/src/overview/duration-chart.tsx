import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import type { ShownStatistics } from '../api/client';
import { TimeChart } from '../shared/time-chart';
import { durationText } from '../shared/times';

const LINES = [
  { name: 'p50', label: t`half below`, color: 'blue' },
  { name: 'p95', label: t`95% below`, color: 'orange' },
  { name: 'p99', label: t`99% below`, color: 'red' },
] as const;

/** How long executions took, by the time of their start. */
export function DurationChart({ statistics: { intervals, durations } }: { statistics: ShownStatistics }) {
  if (!durations)
    return (
      <Text c="dimmed">
        <Trans>No execution has ended.</Trans>
      </Text>
    );
  const texts = LINES.map(({ name, label }) => `${label} ${durationText(durations[name])}`);
  return (
    <>
      <TimeChart
        kind="lines"
        label={t`Seconds from start to end, by time: ${texts.join(', ')}`}
        times={intervals.map(({ start }) => Date.parse(start) / 1000)}
        series={LINES.map(({ name, label, color }) => ({
          label,
          color,
          values: intervals.map((interval) => interval.durations?.[name] ?? null),
        }))}
      />
      <Group gap="md" mt={4}>
        {LINES.map(({ name, color }, at) => (
          <Group key={name} gap={6}>
            <span className="legend-mark" style={{ background: `var(--mantine-color-${color}-6)` }} aria-hidden />
            <Text size="xs">{texts[at]}</Text>
          </Group>
        ))}
      </Group>
    </>
  );
}
