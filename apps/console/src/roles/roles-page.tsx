import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
            <Trans>Show what you may do</Trans>
          </Anchor>
        )}
      </>
    );
  }
  const has = (...words: (string | undefined)[]) => words.join(' ').toLowerCase().includes(text.toLowerCase());
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={1}>
          <Trans>Users and roles</Trans>
        </Title>
        <ApplyFiles />
      </Group>
      <RolesOff />
      <Text size="sm" c="dimmed" mb="md">
        <Trans>
          Roles and who has them are defined in files on the machine of the API. Change the files there, check them with{' '}
          <Code>svc rbac validate</Code>, and apply them here or with <Code>svc rbac sync --api</Code>. Passwords are
          managed with <Code>svc user</Code> or in your directory service.
        </Trans>
      </Text>
      <PageSearch
        label={t`Search users and roles`}
        placeholder={t`User, role or resource`}
        value={text}
        onChange={(value) => change({ text: value })}
      />
      {!data && <Loader aria-label={t`Loading`} />}
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
      notifications.show({ title: t`Files applied`, message: changesInWords(changes), color: 'green' }),
    onSettled: () => client.invalidateQueries({ queryKey: administrationKeys.roles }),
  });
  return (
    <ConfirmedButton
      action={t`Apply the files`}
      question={t`Apply the definition files?`}
      consequence={t`Roles and assignments become what the files say; those that no file defines any more are removed. If a file is invalid, nothing changes.`}
      confirm={t`Apply`}
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
        <Trans>Users</Trans>
      </Title>
      {rows.length === 0 && (
        <Text c="dimmed">
          <Trans>No user has a role.</Trans>
        </Text>
      )}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={480}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>
                  <Trans>User</Trans>
                </Table.Th>
                <Table.Th>
                  <Trans>Role</Trans>
                </Table.Th>
                <Table.Th>
                  <Trans>From</Trans>
                </Table.Th>
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
                    {isRemote && `, ${t`by a group of the login`}`}
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
  grants.map(({ resource_uid: uid, permission_types: types }) => `${uid ?? t`everywhere`}: ${types.join(', ')}`);

function Roles({ rows }: { rows: readonly RoleRow[] }) {
  return (
    <section>
      <Title order={2} my="xs">
        <Trans>Roles</Trans>
      </Title>
      {rows.length === 0 && (
        <Text c="dimmed">
          <Trans>No role matches.</Trans>
        </Text>
      )}
      <Stack gap="md">
        {rows.map((role) => (
          <div key={role.id}>
            <Group gap="xs">
              <Title order={3} size="h5">
                {role.name}
              </Title>
              {role.system && (
                <Badge variant="default" tt="none">
                  <Trans>always exists</Trans>
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
