import { t } from '@lingui/core/macro';
import { Alert, Anchor, Box, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ShownExecution } from '../api/client';
import { taskName } from './child-executions';
import { failedPath, type FailedExecution } from './failed-path';
import { failureText } from './failure-text';

const FAILED: ReadonlySet<string | undefined> = new Set(['failed', 'timeout', 'abandoned']);

/** Why an execution has failed: the tasks from it down to the action that failed first, and what that action said. */
export function FailureCause({ of }: { of: ShownExecution }) {
  const hasFailed = FAILED.has(of.status);
  const { data: path } = useQuery({ ...failedPath(of), enabled: hasFailed });
  if (!hasFailed || !path) return null;
  return (
    <Alert color="red" mt="md" title={t`Cause of the failure`}>
      {path.length > 0 && <Path path={path} />}
      <Code
        block
        tabIndex={0}
        aria-label={t`What failed`}
        mah={240}
        style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}
      >
        {failureText(path.at(-1) ?? of)}
      </Code>
    </Alert>
  );
}

/** The way to the cause, with a link to each execution. */
const Path = ({ path }: { path: readonly FailedExecution[] }) => (
  <Box component="ol" aria-label={t`Failed tasks`} m={0} mb="xs" p={0} style={{ listStyle: 'none' }}>
    {path.map((each, level) => (
      <Box component="li" key={each.id} pl={level * 16} style={{ overflowWrap: 'anywhere' }}>
        <Anchor component={Link} to={`/history/${each.id}`} size="sm" fw={600} underline="always" c="inherit">
          {taskName(each) ?? each.id}
        </Anchor>{' '}
        <Text span size="sm">
          {each.action?.ref} ({each.status})
        </Text>
      </Box>
    ))}
  </Box>
);
