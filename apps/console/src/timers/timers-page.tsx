import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion, Alert, Group, List, Loader, SegmentedControl, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TimerDetail } from '../api/client';
import { Failure } from '../frame/error-page';
import { RuleLinks } from '../rules/rule-links';
import { containsWords } from '../shared/contains-words';
import { PageSearch } from '../shared/page-search';
import { exactText } from '../shared/times';
import { usePageState } from '../shared/use-page-state';
import { TimerCalendar } from './timer-calendar';
import { allTimers, nextTimesOf } from './timer-queries';
import { timerInWords } from './timer-words';

/**
 * The timers of all rules, as a list or as a calendar. The open one of the list shows its rules and next times. The address holds it,
 * the search and the view.
 */
export function TimersPage() {
  const [state, change] = usePageState();
  const text = state.get('text') ?? '';
  const open = state.get('timer');
  const isCalendar = state.get('view') === 'calendar';
  const { data, error, refetch } = useQuery(allTimers());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label={t`Loading`} />;
  const found = data.filter((timer) => containsWords(text, timer.ref, timer.type, timerInWords(timer)));
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={1}>
          <Trans>Timers</Trans>
        </Title>
        <Text c="dimmed" size="sm" role="status">
          <Trans>
            {found.length} of {data.length}
          </Trans>
        </Text>
      </Group>
      <SegmentedControl
        size="xs"
        mb="sm"
        aria-label={t`View`}
        value={isCalendar ? 'calendar' : 'list'}
        onChange={(view) => change({ view: view === 'list' ? null : view })}
        data={[
          { value: 'list', label: t`List` },
          { value: 'calendar', label: t`Calendar` },
        ]}
      />
      <PageSearch
        label={t`Search timers`}
        placeholder={t`Type or parameters`}
        value={text}
        onChange={(value) => change({ text: value })}
      />
      {found.length === 0 && (
        <Alert color="gray" title={t`No timers`}>
          {text === ''
            ? t`A rule on core.st2.IntervalTimer, core.st2.CronTimer or core.st2.DateTimer creates a timer.`
            : t`No timer matches. Search for another word.`}
        </Alert>
      )}
      {isCalendar && found.length > 0 && <TimerCalendar timers={found} />}
      {!isCalendar && <TimerList timers={found} open={open} onOpen={(timer) => change({ timer })} />}
    </>
  );
}

interface TimerListProps {
  readonly timers: readonly TimerDetail[];
  readonly open: string | null;
  readonly onOpen: (ref: string | null) => void;
}

function TimerList({ timers, open, onOpen }: TimerListProps) {
  return (
    <Accordion value={open} onChange={onOpen} order={2}>
      {timers.map((timer) => (
        <Accordion.Item key={timer.id} value={timer.ref}>
          <Accordion.Control>
            {timerInWords(timer)}
            <Text size="sm" c="dimmed">
              {timer.type}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            {open === timer.ref && <NextTimes timer={timer} />}
            <RuleLinks trigger={timer.ref} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function NextTimes({ timer: { ref } }: { timer: TimerDetail }) {
  const { data, error } = useQuery(nextTimesOf(ref));
  if (error) return <Failure error={error} />;
  if (!data) return <Loader aria-label={t`Loading the times`} />;
  if (data.times.length === 0)
    return (
      <Text mb="md">
        <Trans>It fires no more.</Trans>
      </Text>
    );
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        <Trans>Next times in your time zone ({Intl.DateTimeFormat().resolvedOptions().timeZone}).</Trans>
        {!data.registered && ` ${t`The timers service does not know this timer yet, so they are an estimate.`}`}
      </Text>
      <List size="sm" type="ordered" mb="md" aria-label={t`Next times`}>
        {data.times.map((time) => (
          <List.Item key={time}>
            <time dateTime={time}>{exactText(time)}</time>
          </List.Item>
        ))}
      </List>
    </>
  );
}
