import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRouteError } from 'react-router';
import { ApiFailure } from '../api/client';

/** Shown in place of a page that failed. */
export function ErrorPage() {
  return <Failure error={useRouteError()} />;
}

/** An error with what can be done about it. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <Alert color="red" title={titleOf(error)} icon={<IconAlertTriangle aria-hidden />} role="alert" m="md">
      <Text size="sm">{message}</Text>
      <Text size="sm" mt="xs">
        {adviceFor(error)}
      </Text>
      <Group mt="md" gap="xs">
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </Group>
    </Alert>
  );
}

const statusOf = (error: unknown): number | undefined => (error instanceof ApiFailure ? error.status : undefined);

function titleOf(error: unknown): string {
  switch (statusOf(error)) {
    case 0:
      return 'No connection';
    case 403:
      return 'Not allowed';
    case 404:
      return 'Not found';
    default:
      return 'This page cannot be shown';
  }
}

function adviceFor(error: unknown): string {
  switch (statusOf(error)) {
    case 0:
      return 'The page reloads its data as soon as the server is reachable.';
    case 403:
      return 'Ask an administrator for a role with this permission.';
    case 404:
      return 'It may have been deleted, or the address may be incomplete.';
    default:
      return 'If reloading does not help, report this text together with the address of the page.';
  }
}
