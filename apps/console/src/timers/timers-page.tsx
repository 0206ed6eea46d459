import { Accordion, Alert, Group, List, Loader, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerTo, apiClient, type TimerDetail } from '../api/client';
import { Failure } from '../frame/error-page';
import { RuleLinks } from '../rules/rule-links';
import { containsWords } from '../shared/contains-words';
import { PageSearch } from '../shared/page-search';
import { exactText } from '../shared/times';
import { usePageState } from '../shared/use-page-state';
import { timerInWords } from './timer-words';

const allTimers = () =>
  queryOptions({ queryKey: ['timers'], queryFn: () => answerTo(apiClient.GET('/api/v1/timers')) });

const SHOWN_TIMES = 10;

const timesOf = (ref: string) =>
  queryOptions({
    queryKey: ['timers', ref],
    queryFn: () =>
      answerTo(
        apiClient.GET('/api/v1/timers/{ref_or_id}/next', {
          params: { path: { ref_or_id: ref }, query: { count: SHOWN_TIMES } },
        }),
      ),
    refetchInterval: 30_000,
  });

/** The timers of all rules. The open one shows its rules and next times; the address holds it and the search. */
export function TimersPage() {
  const [state, change] = usePageState();
  const text = state.get('text') ?? '';
  const open = state.get('timer');
  const { data, error, refetch } = useQuery(allTimers());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label="Loading" />;
  const found = data.filter((timer) => containsWords(text, timer.ref, timer.type, timerInWords(timer)));
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={1}>Timers</Title>
        <Text c="dimmed" size="sm" role="status">
          {found.length} of {data.length}
        </Text>
      </Group>
      <PageSearch
        label="Search timers"
        placeholder="Type or parameters"
        value={text}
        onChange={(value) => change({ text: value })}
      />
      {found.length === 0 && (
        <Alert color="gray" title="No timers">
          {text === ''
            ? 'A rule on core.st2.IntervalTimer, core.st2.CronTimer or core.st2.DateTimer creates a timer.'
            : 'No timer matches. Search for another word.'}
        </Alert>
      )}
      <Accordion value={open} onChange={(timer) => change({ timer })} order={2}>
        {found.map((timer) => (
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
    </>
  );
}

function NextTimes({ timer: { ref } }: { timer: TimerDetail }) {
  const { data, error } = useQuery(timesOf(ref));
  if (error) return <Failure error={error} />;
  if (!data) return <Loader aria-label="Loading the times" />;
  if (data.times.length === 0) return <Text mb="md">It fires no more.</Text>;
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        Next times in your time zone ({Intl.DateTimeFormat().resolvedOptions().timeZone}).
        {!data.registered && ' The timers service does not know this timer yet, so they are an estimate.'}
      </Text>
      <List size="sm" type="ordered" mb="md" aria-label="Next times">
        {data.times.map((time) => (
          <List.Item key={time}>
            <time dateTime={time}>{exactText(time)}</time>
          </List.Item>
        ))}
      </List>
    </>
  );
}
