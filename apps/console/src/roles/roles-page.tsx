import { Anchor, Badge, Code, Group, List, Loader, Stack, Table, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { administrationKeys, rolesAndAssignments } from '../api/administration-queries';
import { answerTo, apiClient, type AssignmentRow, type RoleRow } from '../api/client';
import { Failure } from '../frame/error-page';
import { ConfirmedButton } from '../shared/confirmed-button';
import { useSession } from '../session/session';
import { PageSearch } from '../shared/page-search';
import { usePageState } from '../shared/use-page-state';
import { RolesOff } from './roles-off';

/** The users with their roles, and the roles with their grants. They are defined in files, which can be applied here. */
export function RolesPage() {
  const [state, change] = usePageState();
  const text = state.get('text') ?? '';
  const session = useSession();
  const { data, error, refetch } = useQuery(rolesAndAssignments());
  if (error) {
    return (
      <>
        <Failure error={error} onRetry={() => void refetch()} />
        {session && (
          <Anchor component={Link} to={`/roles/users/${encodeURIComponent(session.user)}`} mx="md">
            Show what you may do
          </Anchor>
        )}
      </>
    );
  }
  const has = (...words: (string | undefined)[]) => words.join(' ').toLowerCase().includes(text.toLowerCase());
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={1}>Users and roles</Title>
        <ApplyFiles />
      </Group>
      <RolesOff />
      <Text size="sm" c="dimmed" mb="md">
        Roles and who has them are defined in files on the machine of the API. Change the files there, check them with{' '}
        <Code>svc rbac validate</Code>, and apply them here or with <Code>svc rbac sync --api</Code>. Passwords are
        managed with <Code>svc user</Code> or in your directory service.
      </Text>
      <PageSearch
        label="Search users and roles"
        placeholder="User, role or resource"
        value={text}
        onChange={(value) => change({ text: value })}
      />
      {!data && <Loader aria-label="Loading" />}
      {data && (
        <>
          <Users rows={data.assignments.filter(({ user, role, source }) => has(user, role, source))} />
          <Roles rows={data.roles.filter((role) => has(role.name, role.description, JSON.stringify(grantsOf(role))))} />
        </>
      )}
    </>
  );
}

function ApplyFiles() {
  const client = useQueryClient();
  const apply = useMutation({
    mutationFn: () => answerTo(apiClient.POST('/api/v1/rbac/sync')),
    onSuccess: (changes) =>
      notifications.show({ title: 'Files applied', message: changesInWords(changes), color: 'green' }),
    onSettled: () => client.invalidateQueries({ queryKey: administrationKeys.roles }),
  });
  return (
    <ConfirmedButton
      action="Apply the files"
      question="Apply the definition files?"
      consequence="Roles and assignments become what the files say; those that no file defines any more are removed. If a file is invalid, nothing changes."
      confirm="Apply"
      isPending={apply.isPending}
      onConfirm={() => apply.mutate()}
    />
  );
}

/** `roles: 1 created, 0 updated, 0 removed; …` */
const changesInWords = (changes: Readonly<Record<string, Readonly<Record<string, number>>>>): string =>
  Object.entries(changes)
    .map(([of, counts]) => {
      const words = Object.entries(counts).map(([change, count]) => `${count} ${change}`);
      return `${of}: ${words.join(', ')}`;
    })
    .join('; ');

function Users({ rows }: { rows: readonly AssignmentRow[] }) {
  return (
    <section>
      <Title order={2} mb="xs">
        Users
      </Title>
      {rows.length === 0 && <Text c="dimmed">No user has a role.</Text>}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={480}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>User</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th>From</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ id, user = '', role, source, is_remote: isRemote }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/roles/users/${encodeURIComponent(user)}`} size="sm">
                      {user}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{role}</Table.Td>
                  <Table.Td>
                    {source}
                    {isRemote && ', by a group of the login'}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}

/** `pack:core: action_execute, rule_all` */
const grantsOf = ({ permission_grant_objects: grants = [] }: RoleRow): string[] =>
  grants.map(({ resource_uid: uid, permission_types: types }) => `${uid ?? 'everywhere'}: ${types.join(', ')}`);

function Roles({ rows }: { rows: readonly RoleRow[] }) {
  return (
    <section>
      <Title order={2} my="xs">
        Roles
      </Title>
      {rows.length === 0 && <Text c="dimmed">No role matches.</Text>}
      <Stack gap="md">
        {rows.map((role) => (
          <div key={role.id}>
            <Group gap="xs">
              <Title order={3} size="h5">
                {role.name}
              </Title>
              {role.system && (
                <Badge variant="default" tt="none">
                  always exists
                </Badge>
              )}
            </Group>
            <Text size="sm">{role.description}</Text>
            <List size="sm">
              {grantsOf(role).map((grant) => (
                <List.Item key={grant} style={{ overflowWrap: 'anywhere' }}>
                  {grant}
                </List.Item>
              ))}
            </List>
          </div>
        ))}
      </Stack>
    </section>
  );
}
