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
          Verify the trail
        </Button>
        <Text size="sm" c="dimmed">
          Reads all records, and checks that none is missing or altered.
        </Text>
      </Group>
      {result?.intact === true && (
        <Alert color="gray" role="status" title="The trail is intact" mb="sm">
          {result.records.toLocaleString('en')} records of {result.writers}{' '}
          {result.writers === 1 ? 'process' : 'processes'}.
        </Alert>
      )}
      {result?.intact === false && (
        <Alert color="red" role="alert" title="The trail is not intact" mb="sm">
          {result.problem}{' '}
          {result.first_bad !== undefined && (
            <Anchor component={Link} to={`/audit/${result.first_bad}`} size="sm">
              First bad record
            </Anchor>
          )}
        </Alert>
      )}
    </>
  );
}
