import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Box, Text } from '@mantine/core';
import type { ShownBacktest } from '../api/client';
import { RelativeTime } from '../shared/times';

const MOST_RUNS = 50;

/** What a rule would have run for past events. */
export function BacktestOutcome({ of: { instances, matched, suppressed, complete, runs } }: { of: ShownBacktest }) {
  return (
    <Alert color="blue" role="status" title={t`${matched} of ${instances} events match. Nothing was run.`}>
      {suppressed > 0 && (
        <Text size="sm">
          <Trans>{suppressed} matches run nothing because of the correlation.</Trans>
        </Text>
      )}
      {!complete && (
        <Text size="sm">
          <Trans>Not all events were checked.</Trans>
        </Text>
      )}
      <Box component="ul" m={0} pl="md">
        {runs.slice(0, MOST_RUNS).map((run, index) => (
          <li key={index}>
            <Text size="sm" span style={{ overflowWrap: 'anywhere' }}>
              <RelativeTime time={run.occurrence_time} />: {run.failure_reason ?? runText(run)}
            </Text>
          </li>
        ))}
      </Box>
    </Alert>
  );
}

const runText = ({ action = '', parameters = {} }: ShownBacktest['runs'][number]): string =>
  `${action} ${JSON.stringify(parameters)}`;
