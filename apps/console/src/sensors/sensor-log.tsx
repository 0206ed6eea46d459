import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Group, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Anser from 'anser';
import { useEffect, useRef, useState } from 'react';
import { clockText, exactText } from '../shared/times';
import { sensorLog, type SensorLogRow } from './sensor-queries';

/** What a sensor wrote last. New lines are added as long as they are followed. */
export function LogOfSensor({ sensor }: { sensor: string }) {
  const [follows, setFollows] = useState(true);
  const { data, error } = useQuery(sensorLog(sensor, useQueryClient(), follows));
  return (
    <section>
      <Group mt="lg" mb="sm" gap="md">
        <Title order={2}>
          <Trans>Log</Trans>
        </Title>
        <Checkbox
          size="xs"
          label={t`Follow`}
          checked={follows}
          onChange={(event) => setFollows(event.currentTarget.checked)}
        />
      </Group>
      {error && (
        <Text c="dimmed">
          <Trans>The log cannot be read: {error.message}</Trans>
        </Text>
      )}
      {data?.lines.length === 0 && (
        <Text c="dimmed">
          <Trans>The sensor has written nothing yet.</Trans>
        </Text>
      )}
      {data && data.lines.length > 0 && <LogLines lines={data.lines} follows={follows} />}
    </section>
  );
}

function LogLines({ lines, follows }: { lines: readonly SensorLogRow[]; follows: boolean }) {
  const viewport = useRef<HTMLDivElement>(null);
  const last = lines.at(-1);
  useEffect(() => {
    if (follows) viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  }, [follows, last]);
  return (
    <div ref={viewport} className="output output-frame sensor-log" role="region" aria-label={t`Log`} tabIndex={0}>
      {lines.map((line, at) => (
        <LogLine key={`${line.timestamp} ${at}`} line={line} />
      ))}
    </div>
  );
}

const ERRORS = ['ERROR', 'CRITICAL'];

function LogLine({ line: { timestamp, source, level, text } }: { line: SensorLogRow }) {
  const isError = source === 'stderr' || ERRORS.includes(level ?? '');
  return (
    <div>
      <time dateTime={timestamp} title={exactText(timestamp)} className="sensor-log-time">
        {clockText(timestamp)}
      </time>{' '}
      <span className={isError ? 'ansi-red' : source === 'container' ? 'ansi-blue' : ''}>
        {level && level !== 'INFO' && `${level} `}
        {Anser.ansiToText(text)}
      </span>
    </div>
  );
}
