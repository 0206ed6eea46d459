import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
            <Trans>Try again</Trans>
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => window.location.reload()}>
          <Trans>Reload the page</Trans>
        </Button>
      </Group>
    </Alert>
  );
}

const statusOf = (error: unknown): number | undefined => (error instanceof ApiFailure ? error.status : undefined);

function titleOf(error: unknown): string {
  switch (statusOf(error)) {
    case 0:
      return t`No connection`;
    case 403:
      return t`Not allowed`;
    case 404:
      return t`Not found`;
    default:
      return t`This page cannot be shown`;
  }
}

function adviceFor(error: unknown): string {
  switch (statusOf(error)) {
    case 0:
      return t`The page reloads its data as soon as the server is reachable.`;
    case 403:
      return t`Ask an administrator for a role with this permission.`;
    case 404:
      return t`It may have been deleted, or the address may be incomplete.`;
    default:
      return t`If reloading does not help, report this text together with the address of the page.`;
  }
}
