import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Alert,
  Badge,
  Button,
  Code,
  Group,
  Loader,
  Modal,
  SegmentedControl,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { answerTo, apiClient, type KeyRow } from '../api/client';
import { datastoreItems, keys } from '../api/queries';
import { Failure } from '../frame/error-page';
import { ANY_RESOURCE, Permitted, useMay } from '../session/permissions';
import { exactText } from '../shared/times';
import { usePageState } from '../shared/use-page-state';
import { ItemForm, type ShownScope } from './item-form';

/** More rows than anybody reads; the search narrows them down. */
const MOST_ROWS = 400;

/** The items of the datastore by scope, which can be added, changed and deleted. The address holds scope and search. */
export function DatastorePage() {
  const [state, change] = usePageState();
  const scope: ShownScope = state.get('scope') === 'user' ? 'user' : 'system';
  const text = state.get('text') ?? '';
  /** The item in the form: none, a new one, or one of the list. */
  const [edited, setEdited] = useState<KeyRow | 'new'>();
  const { data, error, refetch } = useQuery(datastoreItems(scope));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  const found = (data ?? []).filter(({ name = '' }) => name.toLowerCase().includes(text.toLowerCase()));
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={1}>
          <Trans>Datastore</Trans>
        </Title>
        <AddItem scope={scope} onAdd={() => setEdited('new')} />
      </Group>
      <Group mb="md">
        <ScopeAndSearch scope={scope} text={text} onChange={change} />
        {data && (
          <Text c="dimmed" size="sm" role="status">
            <Trans>
              {found.length} of {data.length}
            </Trans>
          </Text>
        )}
      </Group>
      {!data && <Loader aria-label={t`Loading`} />}
      {data && found.length === 0 && (
        <Alert color="gray" title={t`No items`}>
          {text === '' ? t`Actions, rules and workflows read and write items here.` : t`No name contains this text.`}
        </Alert>
      )}
      {found.length > 0 && <Items rows={found.slice(0, MOST_ROWS)} scope={scope} onEdit={setEdited} />}
      {found.length > MOST_ROWS && (
        <Text c="dimmed" size="sm">
          <Trans>{found.length - MOST_ROWS} more. Search to see them.</Trans>
        </Text>
      )}
      <Modal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited === 'new' ? t`New item` : t`Change ${edited?.name ?? ''}`}
        closeButtonProps={{ 'aria-label': t`Close` }}
      >
        {edited !== undefined && (
          <ItemForm item={edited === 'new' ? undefined : edited} scope={scope} onSaved={() => setEdited(undefined)} />
        )}
      </Modal>
    </>
  );
}

interface ScopeAndSearchProps {
  readonly scope: ShownScope;
  readonly text: string;
  readonly onChange: (state: Readonly<Record<string, string | null>>) => void;
}

function ScopeAndSearch({ scope, text, onChange }: ScopeAndSearchProps) {
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t`Scope`}
        value={scope}
        onChange={(next) => onChange({ scope: next === 'system' ? null : next })}
        data={[
          { value: 'system', label: t`System` },
          { value: 'user', label: t`Mine` },
        ]}
      />
      <TextInput
        data-page-search
        size="xs"
        aria-label={t`Search items`}
        placeholder={t`Name`}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={text}
        onChange={({ currentTarget: { value } }) => onChange({ text: value })}
        w={{ base: '100%', sm: 280 }}
      />
    </>
  );
}

interface ItemsProps {
  readonly rows: readonly KeyRow[];
  readonly scope: ShownScope;
  readonly onEdit: (row: KeyRow) => void;
}

function Items({ rows, scope, onEdit }: ItemsProps) {
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Trans>Name</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Value</Trans>
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
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {row.name}
                {row.description && (
                  <Text size="xs" c="dimmed">
                    {row.description}
                  </Text>
                )}
              </Table.Td>
              <Table.Td maw={360}>
                <ItemValue row={row} scope={scope} />
              </Table.Td>
              <Table.Td>{row.expire_timestamp ? exactText(row.expire_timestamp) : t`never`}</Table.Td>
              <Table.Td>
                <Group gap="xs" wrap="nowrap" justify="flex-end">
                  <ItemChanges row={row} scope={scope} onEdit={onEdit} />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Everybody may change items of their own. */
function AddItem({ scope, onAdd }: { scope: ShownScope; onAdd: () => void }) {
  const button = (
    <Button size="xs" onClick={onAdd} leftSection={<IconPlus size={14} aria-hidden />}>
      <Trans>Add an item</Trans>
    </Button>
  );
  if (scope === 'user') return button;
  return (
    <Permitted permission="key_value_pair_set" on={[ANY_RESOURCE]} to={t`change items of the system`}>
      {button}
    </Permitted>
  );
}

interface ItemChangesProps {
  readonly row: KeyRow;
  readonly scope: ShownScope;
  readonly onEdit: (row: KeyRow) => void;
}

function ItemChanges({ row, scope, onEdit }: ItemChangesProps) {
  const isOwn = scope === 'user';
  const maySet = useMay('key_value_pair_set', row.uid ?? '') || isOwn;
  const mayDelete = useMay('key_value_pair_delete', row.uid ?? '') || isOwn;
  return (
    <>
      {maySet && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t`Change ${row.name ?? ''}`}
          onClick={() => onEdit(row)}
        >
          <Trans>Change</Trans>
        </Button>
      )}
      {mayDelete && <DeleteItem name={row.name ?? ''} scope={scope} />}
    </>
  );
}

/** The value. That of a secret is asked for only on demand, which is audited. */
function ItemValue({ row, scope }: { row: KeyRow; scope: ShownScope }) {
  const { name = '', value, secret, unreadable } = row;
  const mayView = useMay('key_value_pair_view', row.uid ?? '') || scope === 'user';
  const reveal = useMutation({
    mutationFn: () =>
      answerTo(apiClient.GET('/api/v1/keys/{name}', { params: { path: { name }, query: { scope, decrypt: true } } })),
  });
  if (unreadable !== undefined) return <Text size="sm">{unreadable}</Text>;
  if (!secret) return <Code className="clamped-value">{value}</Code>;
  if (reveal.data) return <Code className="clamped-value">{reveal.data.value}</Code>;
  return (
    <Group gap="xs">
      <Badge variant="default" tt="none">
        <Trans>secret</Trans>
      </Badge>
      {mayView && (
        <Button
          size="compact-xs"
          variant="default"
          loading={reveal.isPending}
          aria-label={t`Show the value of ${name}`}
          onClick={() => reveal.mutate()}
        >
          <Trans>Show</Trans>
        </Button>
      )}
    </Group>
  );
}

function DeleteItem({ name, scope }: { name: string; scope: ShownScope }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      answerTo(apiClient.DELETE('/api/v1/keys/{name}', { params: { path: { name }, query: { scope } } })),
    onSettled: () => client.invalidateQueries({ queryKey: keys.datastore }),
  });
  const ask = () =>
    modals.openConfirmModal({
      title: t`Delete ${name}?`,
      children: (
        <Text size="sm">
          <Trans>Rules, actions and workflows that read it will fail.</Trans>
        </Text>
      ),
      labels: { confirm: t`Delete the item`, cancel: t`Keep it` },
      confirmProps: { color: 'red' },
      onConfirm: () => remove.mutate(),
    });
  return (
    <Button size="compact-xs" variant="default" loading={remove.isPending} aria-label={t`Delete ${name}`} onClick={ask}>
      <Trans>Delete</Trans>
    </Button>
  );
}
