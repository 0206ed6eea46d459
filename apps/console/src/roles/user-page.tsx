import { Anchor, Breadcrumbs, Loader, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { assignmentsOf } from '../api/administration-queries';
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
  if (!assignments.data || !held.data) return <Loader aria-label="Loading" />;
  const roles = assignments.data.map(({ role, source }) => `${role} (${source})`);
  return (
    <>
      <Breadcrumbs mb="xs">
        <Anchor component={Link} to="/roles" size="sm">
          Users and roles
        </Anchor>
        <Text size="sm">User</Text>
      </Breadcrumbs>
      <Title order={1} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Title>
      <Text mb="md">{roles.length === 0 ? 'Has no role.' : `Roles: ${roles.join(', ')}`}</Text>
      <RolesOff />
      <Title order={2} mb="xs">
        What {name} may do
      </Title>
      {held.data.length === 0 && <Text c="dimmed">Log in, and nothing else.</Text>}
      {held.data.length > 0 && (
        <Table.ScrollContainer minWidth={560}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Permission</Table.Th>
                <Table.Th>Allows</Table.Th>
                <Table.Th>On</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {held.data.map(({ permission_type: type, description, everywhere, resources }) => (
                <Table.Tr key={type}>
                  <Table.Td>{type}</Table.Td>
                  <Table.Td>{description}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    {everywhere ? 'everything' : resources.join(', ')}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}
