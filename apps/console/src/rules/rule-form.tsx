import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Loader, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ParameterForm } from '../actions/parameter-form';
import { textOfValue, textsOf, type ParameterFields } from '../actions/parameter-values';
import { action, allActions } from '../api/queries';
import { allTriggerTypes } from '../triggers/trigger-queries';
import { ConditionFields } from './condition-fields';
import { fieldsOfSchema, membersOf, readTemplatedParameters } from './rule-draft';

type RuleMembers = Readonly<Record<string, unknown>>;

interface RuleFormProps {
  readonly rule: RuleMembers;
  readonly onChange: (rule: RuleMembers) => void;
}

/**
 * The members of a rule as fields: its trigger, its conditions and its action. Other members stay as they are. Appears once the fields of the
 * trigger are known, so that the others do not move while somebody aims at them.
 */
export function RuleForm({ rule, onChange }: RuleFormProps) {
  const { isLoading } = useQuery(allTriggerTypes());
  if (isLoading) return <Loader size="sm" aria-label={t`Loading the fields`} />;
  const change = (part: RuleMembers) => onChange({ ...rule, ...part });
  return (
    <Stack gap="md">
      <TextInput
        label={t`Description`}
        value={textOfValue(rule['description'])}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <TriggerFields trigger={membersOf(rule['trigger'])} onChange={(trigger) => change({ trigger })} />
      <ConditionFields criteria={rule['criteria']} onChange={(criteria) => change({ criteria })} />
      <ActionFields action={membersOf(rule['action'])} onChange={(chosen) => change({ action: chosen })} />
    </Stack>
  );
}

interface TriggerFieldsProps {
  readonly trigger: RuleMembers;
  readonly onChange: (trigger: RuleMembers) => void;
}

function TriggerFields({ trigger, onChange }: TriggerFieldsProps) {
  const { data } = useQuery(allTriggerTypes());
  const type = textOfValue(trigger['type']);
  const found = data?.find(({ ref }) => ref === type);
  return (
    <>
      <RefChoice
        label={t`Trigger`}
        refs={data?.flatMap(({ ref }) => ref ?? [])}
        value={type}
        onChange={(next) => onChange({ type: next, parameters: {} })}
      />
      {found && (
        <Parameters
          key={type}
          fields={fieldsOfSchema(found.parameters_schema)}
          values={membersOf(trigger['parameters'])}
          onChange={(parameters) => onChange({ ...trigger, parameters })}
        />
      )}
    </>
  );
}

interface ActionFieldsProps {
  readonly action: RuleMembers;
  readonly onChange: (action: RuleMembers) => void;
}

const EXAMPLE = '{{ trigger.body.name }}';

function ActionFields({ action: chosen, onChange }: ActionFieldsProps) {
  const { data: all } = useQuery(allActions());
  const ref = textOfValue(chosen['ref']);
  const { data: found, isLoading } = useQuery({ ...action(ref), enabled: ref !== '' });
  return (
    <>
      <RefChoice
        label={t`Action`}
        refs={all?.flatMap((each) => each.ref ?? [])}
        value={ref}
        onChange={(next) => onChange({ ref: next, parameters: {} })}
      />
      {isLoading && <Loader size="sm" aria-label={t`Loading the parameters`} />}
      {found && (
        <>
          <Text size="sm" c="dimmed">
            <Trans>Templates such as {EXAMPLE} insert values of the event.</Trans>
          </Text>
          <Parameters
            key={ref}
            fields={found.parameters}
            values={membersOf(chosen['parameters'])}
            onChange={(parameters) => onChange({ ...chosen, parameters })}
          />
        </>
      )}
    </>
  );
}

interface RefChoiceProps {
  readonly label: string;
  readonly refs: readonly string[] | undefined;
  readonly value: string;
  readonly onChange: (ref: string) => void;
}

/** A choice that also shows a value that does not exist (any more). */
const RefChoice = ({ label, refs = [], value, onChange }: RefChoiceProps) => (
  <Select
    label={label}
    data={value === '' || refs.includes(value) ? [...refs] : [value, ...refs]}
    value={value || null}
    onChange={(next) => next !== null && onChange(next)}
    allowDeselect={false}
    searchable
    limit={100}
  />
);

interface ParametersProps {
  readonly fields: ParameterFields;
  readonly values: RuleMembers;
  /** Called with the values of the fields that can be read. */
  readonly onChange: (values: RuleMembers) => void;
}

function Parameters({ fields, values, onChange }: ParametersProps) {
  const [texts, setTexts] = useState(() => textsOf(values));
  const { problems } = readTemplatedParameters(fields, texts);
  return (
    <ParameterForm
      fields={fields}
      texts={texts}
      problems={problems}
      onChange={(name, text) => {
        const next = { ...texts, [name]: text };
        setTexts(next);
        onChange({ ...unknownIn(values, fields), ...readTemplatedParameters(fields, next).values });
      }}
    />
  );
}

/** Values without a field are kept. */
const unknownIn = (values: RuleMembers, fields: ParameterFields): RuleMembers =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !(name in fields)));
