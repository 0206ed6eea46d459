import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Group, Loader, Table, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { administrationKeys, ownTokens } from '../api/administration-queries';
import { answerTo, apiClient, type TokenRow } from '../api/client';
import { Failure } from '../frame/error-page';
import { ConfirmedButton } from '../shared/confirmed-button';
import { exactText, RelativeTime } from '../shared/times';
import { clientWords } from './client-words';
import { endSession } from './session';

/** The tokens of the user: logins, tokens for unattended use, and those of running actions. */
export function SessionsPage() {
  const { data, error, refetch } = useQuery(ownTokens());
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={1}>
          <Trans>My sessions</Trans>
        </Title>
        <RevokeAll />
      </Group>
      {!data && <Loader aria-label={t`Loading`} />}
      {data?.length === 0 && (
        <Alert color="gray" title={t`No sessions`}>
          <Trans>You have no token. The API is used without a login, or with an API key.</Trans>
        </Alert>
      )}
      {data && data.length > 0 && <Tokens rows={data} />}
    </>
  );
}

function Tokens({ rows }: { rows: readonly TokenRow[] }) {
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Trans>Purpose</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Client</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Address</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Created</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Expires</Trans>
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
            <Table.Tr key={row.id}>
              <Table.Td>{purposeOf(row)}</Table.Td>
              <Table.Td maw={320} style={{ overflowWrap: 'anywhere' }} title={row.client}>
                {row.client === undefined ? t`unknown` : clientWords(row.client)}
              </Table.Td>
              <Table.Td>{row.address ?? t`unknown`}</Table.Td>
              <Table.Td>{row.created_at ? <RelativeTime time={row.created_at} /> : t`unknown`}</Table.Td>
              <Table.Td>{exactText(row.expiry)}</Table.Td>
              <Table.Td>
                <Revoke row={row} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function purposeOf({ service, service_name: name, role }: TokenRow): string {
  if (name !== undefined) return t`Unattended use by ${name}, limited to the role ${role ?? t`unknown`}`;
  return service ? t`Action or sensor` : t`Login`;
}

/** If it is the token of this browser, reading the list again is refused, and the login appears. */
function Revoke({ row }: { row: TokenRow }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => answerTo(apiClient.DELETE('/auth/v1/issued_tokens/{id}', { params: { path: { id: row.id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: administrationKeys.tokens }),
  });
  return (
    <ConfirmedButton
      action={t`Revoke`}
      label={t`Revoke the token ${row.id}`}
      question={t`Revoke this token?`}
      consequence={
        row.service && row.service_name === undefined
          ? t`The running action continues, but the API refuses its requests.`
          : t`Whoever uses it has to log in again. If it is the one of this browser, so do you.`
      }
      confirm={t`Revoke the token`}
      isPending={revoke.isPending}
      onConfirm={() => revoke.mutate()}
    />
  );
}

function RevokeAll() {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => answerTo(apiClient.DELETE('/auth/v1/issued_tokens')),
    onSuccess: () => {
      endSession();
      client.clear();
    },
  });
  return (
    <ConfirmedButton
      action={t`Revoke all`}
      question={t`Revoke all your tokens?`}
      consequence={t`You have to log in again here and everywhere else. Running actions and unattended programs are refused by the API. API keys are not affected.`}
      confirm={t`Revoke all tokens`}
      isPending={revoke.isPending}
      onConfirm={() => revoke.mutate()}
    />
  );
}
