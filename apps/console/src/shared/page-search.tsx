import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

interface PageSearchProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** The search of a page, which `/` focuses. */
export function PageSearch({ label, placeholder, value, onChange }: PageSearchProps) {
  return (
    <TextInput
      data-page-search
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maw={480}
      mb="md"
    />
  );
}
