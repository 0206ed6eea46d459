import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { conditionsOf, criteriaOf, type ConditionDraft } from './rule-draft';
import { OPERATOR_CHOICES } from './rule-words';

interface ConditionFieldsProps {
  readonly criteria: unknown;
  readonly onChange: (criteria: Readonly<Record<string, unknown>>) => void;
}

const NEW: ConditionDraft = { path: 'trigger.', operator: 'equals', pattern: '', rest: {} };

/** The conditions of a rule, all of which have to hold. */
export function ConditionFields({ criteria, onChange }: ConditionFieldsProps) {
  const [conditions, setConditions] = useState(() => conditionsOf(criteria));
  const change = (next: ConditionDraft[]) => {
    setConditions(next);
    onChange(criteriaOf(next));
  };
  const replace = (at: number, part: Partial<ConditionDraft>) =>
    change(conditions.map((each, index) => (index === at ? { ...each, ...part } : each)));
  return (
    <Stack gap="xs" component="fieldset" m={0} p={0} style={{ border: 'none' }}>
      <Text component="legend" size="sm" fw={500}>
        <Trans>Conditions</Trans>
      </Text>
      {conditions.length === 0 && (
        <Text size="sm" c="dimmed">
          <Trans>Every event matches.</Trans>
        </Text>
      )}
      {conditions.map((condition, at) => (
        <ConditionRow
          key={at}
          number={at + 1}
          condition={condition}
          onChange={(part) => replace(at, part)}
          onRemove={() => change(conditions.filter((_, index) => index !== at))}
        />
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setConditions([...conditions, NEW])}
        >
          <Trans>Add a condition</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

interface ConditionRowProps {
  readonly number: number;
  readonly condition: ConditionDraft;
  readonly onChange: (part: Partial<ConditionDraft>) => void;
  readonly onRemove: () => void;
}

function ConditionRow({ number, condition: { path, operator, pattern }, onChange, onRemove }: ConditionRowProps) {
  const isListed = OPERATOR_CHOICES.some(({ value }) => value === operator);
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <TextInput
        aria-label={t`Member of the event in condition ${number}`}
        placeholder="trigger.body.name"
        value={path}
        onChange={(event) => onChange({ path: event.currentTarget.value })}
        style={{ flex: 2 }}
      />
      <Select
        aria-label={t`Operator of condition ${number}`}
        data={isListed ? OPERATOR_CHOICES : [...OPERATOR_CHOICES, operator]}
        value={operator}
        onChange={(value) => onChange({ operator: value ?? operator })}
        allowDeselect={false}
        searchable
        style={{ flex: 1.5 }}
      />
      <TextInput
        aria-label={t`Value of condition ${number}`}
        value={pattern}
        onChange={(event) => onChange({ pattern: event.currentTarget.value })}
        style={{ flex: 2 }}
      />
      <ActionIcon variant="default" size={36} aria-label={t`Remove condition ${number}`} onClick={onRemove}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
