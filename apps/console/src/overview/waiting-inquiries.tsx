import { Plural, Trans } from '@lingui/react/macro';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { openInquiries } from '../api/queries';
import { Failure } from '../frame/error-page';

/** How many inquiries wait for an answer. */
export function WaitingInquiries() {
  const { data, error, refetch } = useQuery(openInquiries());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.length === 0)
    return (
      <Text c="dimmed">
        <Trans>No question waits for an answer.</Trans>
      </Text>
    );
  return (
    <Anchor component={Link} to="/inquiries" size="sm">
      <Plural value={data.length} one="# question waits for an answer" other="# questions wait for an answer" />
    </Anchor>
  );
}
