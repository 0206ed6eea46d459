import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
          label={t`Purpose`}
          description={t`The program that uses it`}
          value={fields.purpose}
          onChange={({ currentTarget }) => change({ purpose: currentTarget.value })}
        />
        <TextInput
          label={t`User`}
          description={t`Empty: you. Only administrators can name another user`}
          value={fields.user}
          onChange={({ currentTarget }) => change({ user: currentTarget.value })}
        />
        <TagsInput
          label={t`Permissions`}
          description={t`It permits only these, such as webhook_send@webhook:deploy. Press Enter after each`}
          value={[...fields.permissions]}
          onChange={(permissions) => change({ permissions })}
        />
        <TextInput
          label={t`Role`}
          description={t`Instead of permissions: it permits only what this role permits`}
          value={fields.role}
          onChange={({ currentTarget }) => change({ role: currentTarget.value })}
        />
        <TagsInput
          label={t`Addresses`}
          description={t`It works only from these addresses and networks. Press Enter after each`}
          value={[...fields.addresses]}
          onChange={(addresses) => change({ addresses })}
        />
        <TextInput
          type="datetime-local"
          label={t`Expires`}
          description={t`In your time zone; empty: never`}
          value={fields.expiry}
          onChange={({ currentTarget }) => change({ expiry: currentTarget.value })}
        />
        <Button type="submit" loading={isPending}>
          <Trans>Create</Trans>
        </Button>
      </Stack>
    </form>
  );
}

function CreatedKey({ of: { key, user }, onClose }: { of: CreatedApiKey; onClose: () => void }) {
  return (
    <Stack gap="sm">
      <Alert color="orange" title={t`Copy the key now`}>
        <Trans>It is not shown again.</Trans>
      </Alert>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {key}
      </Code>
      <Text size="sm">
        <Trans>
          The key of {user}. Programs send it in the header <Code>Svc-Api-Key</Code>.
        </Trans>
      </Text>
      <Group gap="xs">
        <CopyText text={key ?? ''} />
        <Button size="xs" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
