import { Trans } from '@lingui/react/macro';
import { Text, Timeline } from '@mantine/core';
import type { ShownExecution } from '../api/client';
import { colorOfStatus } from '../shared/status-badge';
import { durationText, exactText } from '../shared/times';

/** The statuses of an execution so far, with the time since its request. */
export function StatusLog({ of: { log = [], start_timestamp: start } }: { of: ShownExecution }) {
  return (
    <Timeline active={log.length} bulletSize={14} lineWidth={2}>
      {log.map(({ status, timestamp }, index) => (
        <Timeline.Item key={index} title={status} color={colorOfStatus(status)}>
          <Text size="sm" c="dimmed">
            <Trans>
              {exactText(timestamp)}, {durationText(Math.max(Date.parse(timestamp) - Date.parse(start), 0) / 1000)}{' '}
              after the start
            </Trans>
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
