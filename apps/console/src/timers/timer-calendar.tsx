import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Box, List, Loader, SegmentedControl, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { TimerDetail } from '../api/client';
import { allRules } from '../api/queries';
import { Failure } from '../frame/error-page';
import { intlLocale } from '../locales/language';
import { listensTo } from '../rules/rule-words';
import { exactText } from '../shared/times';
import { usePageState } from '../shared/use-page-state';
import { upcomingTimes } from './timer-queries';
import { timerInWords } from './timer-words';

const HOURS = { day: 24, week: 7 * 24 };

/** What the timers start in the next day or week, in the time zone of the viewer. The address holds the period. */
export function TimerCalendar({ timers }: { timers: readonly TimerDetail[] }) {
  const [state, change] = usePageState();
  const period = state.get('period') === 'day' ? 'day' : 'week';
  const { data, error, refetch } = useQuery(upcomingTimes(HOURS[period]));
  const rulesOf = useRulesOf();
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading the calendar`} />;
  const known = new Map(timers.map((timer) => [timer.ref, timer]));
  const shown = data.flatMap(({ timer: ref, ...upcoming }) => {
    const timer = known.get(ref);
    return timer ? [{ ...upcoming, timer, name: rulesOf(ref) ?? ref }] : [];
  });
  return (
    <>
      <SegmentedControl
        size="xs"
        mb="sm"
        aria-label={t`Period`}
        value={period}
        onChange={(next) => change({ period: next === 'week' ? null : next })}
        data={[
          { value: 'day', label: t`Next 24 hours` },
          { value: 'week', label: t`Next 7 days` },
        ]}
      />
      <Text size="sm" c="dimmed" mb="sm">
        <Trans>Times in your time zone ({Intl.DateTimeFormat().resolvedOptions().timeZone}).</Trans>
      </Text>
      {shown.map(
        ({ timer: { ref }, problem }) =>
          problem !== undefined && (
            <Alert key={ref} color="orange" title={t`${ref} does not fire`} mb="sm">
              {problem}
            </Alert>
          ),
      )}
      {shown.every(({ times }) => times.length === 0) && (
        <Text>
          <Trans>No timer fires in this period.</Trans>
        </Text>
      )}
      <Often timers={shown.filter(({ more }) => more)} />
      <Days timers={shown.filter(({ more }) => !more)} />
    </>
  );
}

interface PlannedTimer {
  readonly timer: TimerDetail;
  /** The rules that it starts. */
  readonly name: string;
  readonly times: readonly string[];
}

/** One line for each timer that fires too often to show each time. */
function Often({ timers }: { timers: readonly PlannedTimer[] }) {
  if (timers.length === 0) return null;
  return (
    <Box component="section" aria-label={t`Often`} mb="md">
      <Title order={2}>
        <Trans>Often</Trans>
      </Title>
      <List size="sm" listStyleType="none">
        {timers.map(({ timer, name, times }) => (
          <List.Item key={timer.id}>
            <Trans>
              {timerInWords(timer)}, next at {exactText(times[0] ?? '')}:
            </Trans>{' '}
            <TimerLink timer={timer} name={name} />
          </List.Item>
        ))}
      </List>
    </Box>
  );
}

const dayName = new Intl.DateTimeFormat(intlLocale(), { weekday: 'short', day: 'numeric', month: 'short' });
const timeOfDay = new Intl.DateTimeFormat(intlLocale(), { timeStyle: 'short' });

function Days({ timers }: { timers: readonly PlannedTimer[] }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
      {daysOf(timers).map(([day, entries]) => (
        <section key={day} aria-label={day}>
          <Title order={2}>{day}</Title>
          <List size="sm" listStyleType="none">
            {entries.map(({ time, timer, name }) => (
              <List.Item key={`${time} ${timer.id}`}>
                <time dateTime={time}>{timeOfDay.format(new Date(time))}</time> <TimerLink timer={timer} name={name} />
              </List.Item>
            ))}
          </List>
        </section>
      ))}
    </SimpleGrid>
  );
}

interface Firing extends Omit<PlannedTimer, 'times'> {
  readonly time: string;
}

/** When the timers fire, by day and in order. */
function daysOf(timers: readonly PlannedTimer[]): [day: string, Firing[]][] {
  const firings = timers.flatMap(({ times, timer, name }) => times.map((time) => ({ time, timer, name })));
  firings.sort((a, b) => a.time.localeCompare(b.time));
  return [...Map.groupBy(firings, ({ time }) => dayName.format(new Date(time)))];
}

/** The rules that a timer starts, as one text. */
function useRulesOf(): (timer: string) => string | undefined {
  const { data = [] } = useQuery(allRules());
  return (timer) => {
    const found = data
      .filter((rule) => listensTo(rule, timer))
      .map(({ id, ref = id, enabled }) => (enabled === false ? t`${ref} (disabled)` : ref));
    return found.length > 0 ? found.join(', ') : undefined;
  };
}

const TimerLink = ({ timer: { ref }, name }: { timer: TimerDetail; name: string }) => (
  <Anchor
    component={Link}
    to={`/timers?timer=${encodeURIComponent(ref)}`}
    size="sm"
    underline="always"
    style={{ overflowWrap: 'anywhere' }}
  >
    {name}
  </Anchor>
);
