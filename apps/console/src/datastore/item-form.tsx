import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, NumberInput, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { answerTo, apiClient, type KeyRow } from '../api/client';
import { keys } from '../api/queries';

export type ShownScope = 'system' | 'user';

interface ItemFormProps {
  /** The item to change. Without it, the form adds one. */
  readonly item: KeyRow | undefined;
  readonly scope: ShownScope;
  readonly onSaved: () => void;
}

/** Adds or replaces an item. The value of a secret is not filled in; it has to be given again. */
export function ItemForm({ item, scope, onSaved }: ItemFormProps) {
  const [name, setName] = useState(item?.name ?? '');
  const [value, setValue] = useState(item?.secret ? '' : (item?.value ?? ''));
  const [secret, setSecret] = useState(item?.secret ?? false);
  const [ttl, setTtl] = useState<number | string>('');
  const save = useSave(onSaved);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({
      ...{ name, value, secret, scope },
      ...(item?.description && { description: item.description }),
      ...(typeof ttl === 'number' && { ttl }),
    });
  };
  const Value = secret ? PasswordInput : Textarea;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t`Name`}
          required
          disabled={item !== undefined}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Value
          label={t`Value`}
          required
          {...(secret ? {} : { autosize: true, minRows: 2, maxRows: 12 })}
          value={value}
          onChange={({ currentTarget }: { currentTarget: { value: string } }) => setValue(currentTarget.value)}
        />
        <Checkbox
          label={t`Secret`}
          description={t`Stored encrypted, and shown only on demand`}
          checked={secret}
          onChange={({ currentTarget }) => setSecret(currentTarget.checked)}
        />
        <NumberInput
          label={t`Expires after`}
          description={t`Seconds; empty: never`}
          min={1}
          max={3_153_600_000}
          allowDecimal={false}
          value={ttl}
          onChange={setTtl}
        />
        <Button type="submit" loading={save.isPending}>
          <Trans>Save</Trans>
        </Button>
      </Stack>
    </form>
  );
}

interface NewItem {
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
  readonly scope: ShownScope;
  readonly description?: string;
  readonly ttl?: number;
}

/** Stores an item. */
function useSave(onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewItem) =>
      answerTo(apiClient.PUT('/api/v1/keys/{name}', { params: { path: { name: body.name } }, body })),
    onSuccess: (_, { name }) => {
      notifications.show({ title: t`Saved`, message: t`${name} has its new value.`, color: 'green' });
      onSaved();
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.datastore }),
  });
}
