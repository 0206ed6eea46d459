import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { currentUser } from '../api/queries';
import { useSession } from '../session/session';

const OPTIONS = '[rbac]\nenable = True\nbackend = default';

/** Says that roles are off, and how to turn them on; nothing while they are on. */
export function RolesOff() {
  const { data } = useQuery(currentUser(useSession()?.token));
  if (!data || data.rbac.enabled) return null;
  return (
    <Alert color="orange" title={t`Roles are off: every user may do everything`} mb="md">
      <Text size="sm">
        <Trans>
          To turn them on, give a user the role admin in a file below rbac/assignments, apply the files, set these
          options in the configuration file, and restart the services:
        </Trans>
      </Text>
      <Code block my="xs">
        {OPTIONS}
      </Code>
    </Alert>
  );
}
