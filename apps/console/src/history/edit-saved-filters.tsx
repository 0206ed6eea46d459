import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { LONGEST_NAME } from './save-filter';
import { useSavedFilters, type SavedFilter } from './saved-filters';

/** Renames and deletes saved filters. */
export function EditSavedFilters({ onClose }: { onClose: () => void }) {
  const { filters = [] } = useSavedFilters().saved.data ?? {};
  return (
    <Modal opened onClose={onClose} title={t`Saved filters`} closeButtonProps={{ 'aria-label': t`Close` }}>
      <Stack gap="sm">
        {filters.length === 0 && (
          <Text c="dimmed">
            <Trans>No saved filters</Trans>
          </Text>
        )}
        {filters.map((filter) => (
          <EditSavedFilter key={filter.name} filter={filter} />
        ))}
      </Stack>
    </Modal>
  );
}

function EditSavedFilter({ filter }: { filter: SavedFilter }) {
  const { saved, change } = useSavedFilters();
  const [text, setText] = useState(filter.name);
  const name = text.trim();
  const isTaken = name !== filter.name && (saved.data?.filters.some((other) => other.name === name) ?? false);
  const rename = (event: FormEvent) => {
    event.preventDefault();
    change.mutate((filters) => filters.map((each) => (each.name === filter.name ? { ...each, name } : each)));
  };
  return (
    <form onSubmit={rename}>
      <Group gap="xs" wrap="nowrap" align="start">
        <TextInput
          size="xs"
          aria-label={t`Name of ${filter.name}`}
          maxLength={LONGEST_NAME}
          error={isTaken && t`Other filters have this name.`}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          style={{ flexGrow: 1 }}
        />
        <Button
          size="xs"
          variant="default"
          type="submit"
          aria-label={t`Rename ${filter.name}`}
          disabled={name === '' || name === filter.name || isTaken}
          loading={change.isPending}
        >
          <Trans>Rename</Trans>
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={t`Delete ${filter.name}`}
          disabled={change.isPending}
          onClick={() => change.mutate((filters) => filters.filter((each) => each.name !== filter.name))}
        >
          <Trans>Delete</Trans>
        </Button>
      </Group>
    </form>
  );
}
