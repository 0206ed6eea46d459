import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Breadcrumbs, Loader, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { assignmentsOf } from '../api/administration-queries';
import type { HeldPermissionRow } from '../api/client';
import { Failure } from '../frame/error-page';
import { heldPermissionsOf } from '../session/permissions';
import { useSession } from '../session/session';
import { RolesOff } from './roles-off';

/** One user: their roles, and what these permit together. */
export function UserPage() {
  const { name = '' } = useParams();
  const assignments = useQuery(assignmentsOf(name));
  const held = useQuery(heldPermissionsOf(name, useSession()?.token));
  const error = assignments.error ?? held.error;
  if (error) return <Failure error={error} onRetry={() => void held.refetch()} />;
  if (!assignments.data || !held.data) return <Loader aria-label={t`Loading`} />;
  const roles = assignments.data.map(({ role, source }) => `${role} (${source})`);
  return (
    <>
      <Breadcrumbs mb="xs">
        <Anchor component={Link} to="/roles" size="sm">
          <Trans>Users and roles</Trans>
        </Anchor>
        <Text size="sm">
          <Trans>User</Trans>
        </Text>
      </Breadcrumbs>
      <Title order={1} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Title>
      <Text mb="md">{roles.length === 0 ? t`Has no role.` : t`Roles: ${roles.join(', ')}`}</Text>
      <RolesOff />
      <Title order={2} mb="xs">
        <Trans>What {name} may do</Trans>
      </Title>
      {held.data.length === 0 && (
        <Text c="dimmed">
          <Trans>Log in, and nothing else.</Trans>
        </Text>
      )}
      {held.data.length > 0 && <PermissionTable held={held.data} />}
    </>
  );
}

function PermissionTable({ held }: { readonly held: readonly HeldPermissionRow[] }) {
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Trans>Permission</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Allows</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>On</Trans>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {held.map(({ permission_type: type, description, everywhere, resources }) => (
            <Table.Tr key={type}>
              <Table.Td>{type}</Table.Td>
              <Table.Td>{description}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {everywhere ? t`everything` : resources.join(', ')}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
