import { t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import type { ShownStatistics } from '../api/client';
import { TimeChart } from './time-chart';
import { shownNumber } from '../locales/language';

const GROUPS = [
  { label: t`succeeded`, color: 'green', statuses: ['succeeded'] },
  { label: t`failed`, color: 'red', statuses: ['failed', 'timeout', 'abandoned'] },
  { label: t`canceled`, color: 'gray', statuses: ['canceled'] },
  { label: t`not ended`, color: 'blue', statuses: undefined },
] as const;

type Counts = Readonly<Record<string, number>>;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const ENDED = GROUPS.flatMap(({ statuses }) => statuses ?? []);

/** The numbers of executions, in the order of the groups. */
function grouped(counts: Counts): number[] {
  const countOf = (statuses: readonly string[]) => sum(statuses.map((status) => counts[status] ?? 0));
  return GROUPS.map(({ statuses }) => (statuses ? countOf(statuses) : sum(Object.values(counts)) - countOf(ENDED)));
}

interface StatusChartProps {
  readonly statistics: ShownStatistics;
  readonly onSelect?: (from: number, to: number) => void;
  readonly height?: number;
}

/** Executions by time and status as bars. The total of each status is shown as text. */
export function StatusChart({ statistics: { intervals, statuses }, onSelect, height }: StatusChartProps) {
  const totals = grouped(statuses);
  const byTime = intervals.map((interval) => grouped(interval.statuses));
  const words = GROUPS.map(({ label }, at) => `${totals[at]} ${label}`).join(', ');
  // Bars are not stacked by the library: each is as high as all groups up to its own, the highest drawn first.
  const series = GROUPS.map(({ label, color }, at) => ({
    label,
    color,
    values: byTime.map((counts) => sum(counts.slice(0, at + 1))),
  })).reverse();
  return (
    <>
      <TimeChart
        kind="bars"
        label={t`Executions by time: ${words}`}
        times={intervals.map(({ start }) => Date.parse(start) / 1000)}
        series={series}
        {...(onSelect && { onSelect })}
        {...(height !== undefined && { height })}
      />
      <Group gap="md" mt={4}>
        {GROUPS.map(({ label, color }, at) => (
          <Group key={label} gap={6}>
            <span className="legend-mark" style={{ background: `var(--mantine-color-${color}-6)` }} aria-hidden />
            <Text size="xs">{`${shownNumber(totals[at] ?? 0)} ${label}`}</Text>
          </Group>
        ))}
      </Group>
    </>
  );
}
