import { t } from '@lingui/core/macro';
import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useSavedFilters } from './saved-filters';

interface SaveFilterProps {
  /** The search parameters to save. */
  readonly search: string;
  readonly onClose: () => void;
}

/** Asks for a name and saves the filters under it. */
export function SaveFilter({ search, onClose }: SaveFilterProps) {
  const { saved, change } = useSavedFilters();
  const [text, setText] = useState('');
  const name = text.trim();
  const exists = saved.data?.filters.some((filter) => filter.name === name) ?? false;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name === '') return;
    change.mutate((filters) => [...filters.filter((filter) => filter.name !== name), { name, search }], {
      onSuccess: onClose,
    });
  };
  return (
    <Modal opened onClose={onClose} title={t`Save these filters`} closeButtonProps={{ 'aria-label': t`Close` }}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t`Name`}
            required
            data-autofocus
            maxLength={LONGEST_NAME}
            {...(exists && { description: t`Saving replaces the filters of this name.` })}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button type="submit" loading={change.isPending}>
            {exists ? t`Replace` : t`Save`}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

export const LONGEST_NAME = 80;
