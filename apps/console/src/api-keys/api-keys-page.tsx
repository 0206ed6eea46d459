import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Loader, Modal, Switch, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { administrationKeys, allApiKeys } from '../api/administration-queries';
import { answerTo, apiClient, type ApiKeyRow } from '../api/client';
import { Failure } from '../frame/error-page';
import { Permitted, useMay } from '../session/permissions';
import { useSession } from '../session/session';
import { ConfirmedButton } from '../shared/confirmed-button';
import { PageSearch } from '../shared/page-search';
import { exactText, RelativeTime } from '../shared/times';
import { usePageState } from '../shared/use-page-state';
import { metadataInWords, permittedBy } from './key-words';
import { NewKey } from './new-key';

/** The API keys that the user may see. The address holds the search. */
export function ApiKeysPage() {
  const [state, change] = usePageState();
  const text = state.get('text') ?? '';
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery(allApiKeys());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  const found = (data ?? []).filter((row) => wordsOf(row).includes(text.toLowerCase()));
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={1}>
          <Trans>API keys</Trans>
        </Title>
        <Permitted permission="api_key_create" to={t`create keys`}>
          <Button size="xs" onClick={() => setAdding(true)} leftSection={<IconPlus size={14} aria-hidden />}>
            <Trans>Create a key</Trans>
          </Button>
        </Permitted>
      </Group>
      <PageSearch
        label={t`Search API keys`}
        placeholder={t`User, role, permission, address or metadata`}
        value={text}
        onChange={(value) => change({ text: value })}
      />
      {!data && <Loader aria-label={t`Loading`} />}
      {data && found.length === 0 && (
        <Alert color="gray" title={t`No API keys`}>
          {text === '' ? t`Programs use them instead of a password.` : t`No key contains this text.`}
        </Alert>
      )}
      {found.length > 0 && <ApiKeys rows={found} />}
      <Modal
        opened={isAdding}
        onClose={() => setAdding(false)}
        title={t`New API key`}
        closeButtonProps={{ 'aria-label': t`Close` }}
        // Otherwise, a slip outside of the window would lose the key.
        closeOnClickOutside={false}
      >
        {isAdding && <NewKey onClose={() => setAdding(false)} />}
      </Modal>
    </>
  );
}

const wordsOf = (row: ApiKeyRow): string =>
  [row.id, row.user, permittedBy(row), ...(row.allowed_addresses ?? []), metadataInWords(row.metadata)]
    .join(' ')
    .toLowerCase();

function ApiKeys({ rows }: { rows: readonly ApiKeyRow[] }) {
  return (
    <Table.ScrollContainer minWidth={820}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Trans>User</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Permits</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Addresses</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Expires</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Last use</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Enabled</Trans>
            </Table.Th>
            <Table.Th>
              <span className="visually-hidden">
                <Trans>Changes</Trans>
              </span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <ApiKeyLine key={row.id} row={row} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ApiKeyLine({ row }: { row: ApiKeyRow }) {
  const { user, allowed_addresses: addresses, expires_at: expiry, last_used_at: used, metadata, unreadable } = row;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {user ?? unreadable}
        <Text size="xs" c="dimmed">
          {metadataInWords(metadata)}
        </Text>
      </Table.Td>
      <Table.Td maw={280} style={{ overflowWrap: 'anywhere' }}>
        {permittedBy(row)}
      </Table.Td>
      <Table.Td>{addresses?.join(', ') ?? t`any`}</Table.Td>
      <Table.Td>{expiry ? exactText(expiry) : t`never`}</Table.Td>
      <Table.Td>{used ? <RelativeTime time={used} /> : t`not recorded`}</Table.Td>
      <Table.Td>
        <KeySwitch row={row} />
      </Table.Td>
      <Table.Td>
        <DeleteKey row={row} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Names a key in labels: several keys may belong to one user. */
const nameOf = ({ id, user }: ApiKeyRow): string => t`key ${id} of ${user ?? t`an unknown user`}`;

/** Everybody may change keys of their own. */
function useMayChange({ user, uid = '' }: ApiKeyRow, permission: string): boolean {
  const isOwn = useSession()?.user === user;
  return useMay(permission, uid) || isOwn;
}

/** Limits that the request does not name stay; metadata would be removed. */
function KeySwitch({ row }: { row: ApiKeyRow }) {
  const client = useQueryClient();
  const { id, enabled = false, metadata = {} } = row;
  const may = useMayChange(row, 'api_key_modify');
  const change = useMutation({
    mutationFn: (next: boolean) =>
      answerTo(
        apiClient.PUT('/api/v1/apikeys/{api_key_id_or_key}', {
          params: { path: { api_key_id_or_key: id } },
          body: { enabled: next, metadata: metadata as Record<string, never> },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: administrationKeys.apiKeys }),
  });
  return (
    <Switch
      aria-label={t`Enable the ${nameOf(row)}`}
      disabled={!may}
      {...(!may && { title: t`Your roles do not permit you to change this key (api_key_modify).` })}
      checked={change.isPending ? change.variables : enabled}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}

function DeleteKey({ row }: { row: ApiKeyRow }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      answerTo(
        apiClient.DELETE('/api/v1/apikeys/{api_key_id_or_key}', { params: { path: { api_key_id_or_key: row.id } } }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: administrationKeys.apiKeys }),
  });
  if (!useMayChange(row, 'api_key_delete')) return null;
  return (
    <ConfirmedButton
      action={t`Delete`}
      label={t`Delete the ${nameOf(row)}`}
      question={t`Delete this API key?`}
      consequence={t`Programs that use it are refused from now on. To stop them for a while, disable the key instead.`}
      confirm={t`Delete the key`}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
    />
  );
}
