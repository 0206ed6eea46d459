import { Alert, Button, Code, Group, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { administrationKeys } from '../api/administration-queries';
import { answerTo, apiClient, type CreatedApiKey } from '../api/client';
import { CopyText } from '../shared/copy-text';
import { grantsOf } from './key-words';

interface Fields {
  readonly user: string;
  readonly purpose: string;
  readonly role: string;
  readonly permissions: readonly string[];
  readonly addresses: readonly string[];
  /** A time in the zone of the browser. */
  readonly expiry: string;
}

const NOTHING: Fields = { user: '', purpose: '', role: '', permissions: [], addresses: [], expiry: '' };

/** Creates an API key, and shows it once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (fields: Fields) => answerTo(apiClient.POST('/api/v1/apikeys', { body: bodyOf(fields) })),
    onSettled: () => client.invalidateQueries({ queryKey: administrationKeys.apiKeys }),
  });
  if (create.data) return <CreatedKey of={create.data} onClose={onClose} />;
  return <KeyForm isPending={create.isPending} onSubmit={(fields) => create.mutate(fields)} />;
}

const bodyOf = ({ user, purpose, role, permissions, addresses, expiry }: Fields) => ({
  enabled: true,
  metadata: (purpose === '' ? {} : { purpose }) as Record<string, never>,
  ...(user !== '' && { user }),
  ...(role !== '' && { role }),
  ...(permissions.length > 0 && { permission_grants: grantsOf(permissions) }),
  ...(addresses.length > 0 && { allowed_addresses: [...addresses] }),
  ...(expiry !== '' && { expires_at: new Date(expiry).toISOString() }),
});

interface KeyFormProps {
  readonly isPending: boolean;
  readonly onSubmit: (fields: Fields) => void;
}

function KeyForm({ isPending, onSubmit }: KeyFormProps) {
  const [fields, setFields] = useState(NOTHING);
  const change = (next: Partial<Fields>) => setFields((before) => ({ ...before, ...next }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(fields);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Purpose"
          description="The program that uses it"
          value={fields.purpose}
          onChange={({ currentTarget }) => change({ purpose: currentTarget.value })}
        />
        <TextInput
          label="User"
          description="Empty: you. Only administrators can name another user"
          value={fields.user}
          onChange={({ currentTarget }) => change({ user: currentTarget.value })}
        />
        <TagsInput
          label="Permissions"
          description="It permits only these, such as webhook_send@webhook:deploy. Press Enter after each"
          value={[...fields.permissions]}
          onChange={(permissions) => change({ permissions })}
        />
        <TextInput
          label="Role"
          description="Instead of permissions: it permits only what this role permits"
          value={fields.role}
          onChange={({ currentTarget }) => change({ role: currentTarget.value })}
        />
        <TagsInput
          label="Addresses"
          description="It works only from these addresses and networks. Press Enter after each"
          value={[...fields.addresses]}
          onChange={(addresses) => change({ addresses })}
        />
        <TextInput
          type="datetime-local"
          label="Expires"
          description="In your time zone; empty: never"
          value={fields.expiry}
          onChange={({ currentTarget }) => change({ expiry: currentTarget.value })}
        />
        <Button type="submit" loading={isPending}>
          Create
        </Button>
      </Stack>
    </form>
  );
}

function CreatedKey({ of: { key, user }, onClose }: { of: CreatedApiKey; onClose: () => void }) {
  return (
    <Stack gap="sm">
      <Alert color="orange" title="Copy the key now">
        It is not shown again.
      </Alert>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {key}
      </Code>
      <Text size="sm">
        The key of {user}. Programs send it in the header <Code>Svc-Api-Key</Code>.
      </Text>
      <Group gap="xs">
        <CopyText text={key ?? ''} />
        <Button size="xs" onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
