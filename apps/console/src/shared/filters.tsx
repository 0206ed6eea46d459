import { t } from '@lingui/core/macro';
import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { intlLocale } from '../locales/language';
import { localTimeText } from './times';

const TYPING_MS = 400;

interface Width {
  readonly base: string;
  readonly sm: number;
}

const WIDTH: Width = { base: 'calc(50% - 5px)', sm: 150 };

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface FilterChoiceProps {
  readonly label: string;
  readonly choices: readonly (string | Choice)[];
  /** Shown also while the choices that contain it have not been loaded. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly width?: Width;
  /** Whether `/` focuses it. */
  readonly isSearch?: boolean;
}

/** A filter of a list that has one of several values, or none. */
export function FilterChoice({ label, choices, value, onChange, width = WIDTH, isSearch = false }: FilterChoiceProps) {
  const isKnown = choices.some((choice) => value === (typeof choice === 'string' ? choice : choice.value));
  return (
    <Select
      size="xs"
      {...(isSearch && { 'data-page-search': true })}
      aria-label={label}
      placeholder={label}
      data={value === null || isKnown ? [...choices] : [value, ...choices]}
      value={value}
      onChange={onChange}
      searchable
      clearable
      // The library hides the button from keyboards and screen readers.
      clearButtonProps={{
        'aria-label': t`Clear ${label.toLocaleLowerCase(intlLocale())}`,
        'aria-hidden': false,
        tabIndex: 0,
      }}
      w={{ ...width }}
    />
  );
}

interface FilterTextProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  /** Receives the text without spaces around it, once the user pauses. */
  readonly onChange: (text: string) => void;
  readonly width?: Width;
  /** Whether it has a magnifier, and `/` focuses it. */
  readonly isSearch?: boolean;
}

/** A filter of a list that is typed. */
export function FilterText({ label, placeholder = label, value, onChange, width = WIDTH, isSearch }: FilterTextProps) {
  const [text, setText] = useState(value);
  const report = useDebouncedCallback(onChange, TYPING_MS);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      size="xs"
      {...(isSearch && { 'data-page-search': true, leftSection: <IconSearch size={14} aria-hidden /> })}
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        report(currentTarget.value.trim());
      }}
      w={{ ...width }}
    />
  );
}

/** The year has four digits. */
const LONGEST_TIME = 'yyyy-MM-ddThh:mm:ss'.length;

interface FilterTimeProps {
  readonly label: string;
  /** In ISO 8601, or null. */
  readonly value: string | null;
  readonly onChange: (time: string | null) => void;
}

/** A filter of a list that is a time, typed in the time zone of the viewer. */
export function FilterTime({ label, value, onChange }: FilterTimeProps) {
  const [text, setText] = useState(localTimeText(value));
  const report = useDebouncedCallback(onChange, TYPING_MS);
  useEffect(() => setText(localTimeText(value)), [value]);
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      step={1}
      aria-label={label}
      title={label}
      value={text}
      onChange={({ currentTarget: { value: typed } }) => {
        setText(typed);
        // Without one of its parts, the text is empty: the user may be typing.
        if (typed !== '' && typed.length <= LONGEST_TIME) report(new Date(typed).toISOString());
      }}
      onBlur={() => text === '' && value !== null && onChange(null)}
      w={{ base: 'calc(50% - 5px)', sm: 220 }}
    />
  );
}
