import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { answerTo, apiClient } from '../api/client';

/** Checks the whole trail on demand: all its records are read for that. */
export function VerifyTrail() {
  const verify = useMutation({ mutationFn: () => answerTo(apiClient.GET('/api/v1/audit/verify')) });
  const { data: result } = verify;
  return (
    <>
      <Group mb="sm" gap="sm">
        <Button size="xs" variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>
          <Trans>Verify the trail</Trans>
        </Button>
        <Text size="sm" c="dimmed">
          <Trans>Reads all records, and checks that none is missing or altered.</Trans>
        </Text>
      </Group>
      {result?.intact === true && (
        <Alert color="gray" role="status" title={t`The trail is intact`} mb="sm">
          <Trans>
            <Plural value={result.records} one="# record" other="# records" /> of{' '}
            <Plural value={result.writers} one="# process" other="# processes" />.
          </Trans>
        </Alert>
      )}
      {result?.intact === false && (
        <Alert color="red" role="alert" title={t`The trail is not intact`} mb="sm">
          {result.problem}{' '}
          {result.first_bad !== undefined && (
            <Anchor component={Link} to={`/audit/${result.first_bad}`} size="sm">
              <Trans>First bad record</Trans>
            </Anchor>
          )}
        </Alert>
      )}
    </>
  );
}
