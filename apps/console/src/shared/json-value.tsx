import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import 'react-json-view-lite/dist/index.css';
import { Code, Group, ScrollArea, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { defaultStyles, JsonView } from 'react-json-view-lite';
import { CopyText } from './copy-text';

type Form = 'tree' | 'raw';

/** Levels that are open at first. */
const OPEN_LEVELS = 3;

/** A JSON value as a tree or as text. */
export function JsonValue({ value, label }: { value: unknown; label: string }) {
  const [form, setForm] = useState<Form>('tree');
  if (value === undefined || value === null)
    return (
      <Text c="dimmed">
        <Trans>None.</Trans>
      </Text>
    );
  const isTree = typeof value === 'object';
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <>
      <Group justify="space-between" mb="xs">
        {isTree ? (
          <SegmentedControl
            size="xs"
            aria-label={t`Form of ${label}`}
            value={form}
            onChange={(next) => setForm(next as Form)}
            data={[
              { value: 'tree', label: t`Tree` },
              { value: 'raw', label: t`Raw` },
            ]}
          />
        ) : (
          <span />
        )}
        <CopyText text={text} />
      </Group>
      {isTree && form === 'tree' ? (
        <JsonTree value={value} label={label} />
      ) : (
        <ScrollArea.Autosize mah="60vh" viewportProps={{ tabIndex: 0, 'aria-label': label }}>
          <Code block>{text}</Code>
        </ScrollArea.Autosize>
      )}
    </>
  );
}

function JsonTree({ value, label }: { value: object; label: string }) {
  return (
    <JsonView
      data={value}
      style={STYLES}
      shouldExpandNode={(level) => level < OPEN_LEVELS}
      clickToExpandNode
      aria-label={label}
    />
  );
}

/** Colours of our own: those of the library are too faint on our backgrounds. */
const STYLES = {
  ...defaultStyles,
  container: 'json-tree',
  label: 'json-name',
  clickableLabel: 'json-name',
  punctuation: 'json-punctuation',
  stringValue: 'ansi-green',
  numberValue: 'ansi-blue',
  booleanValue: 'ansi-magenta',
  nullValue: 'ansi-magenta',
  undefinedValue: 'ansi-magenta',
  otherValue: 'ansi-magenta',
};
