import { t } from '@lingui/core/macro';
import { PasswordInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import {
  shownFields,
  textOfValue,
  typeOf,
  type FieldTexts,
  type ParameterField,
  type ParameterFields,
} from './parameter-values';

interface ParameterFormProps {
  readonly fields: ParameterFields;
  readonly texts: FieldTexts;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (name: string, text: string) => void;
}

/** A field for each parameter, by its type. */
export function ParameterForm({ fields, texts, problems, onChange }: ParameterFormProps) {
  return (
    <Stack gap="sm">
      {shownFields(fields).map(([name, field]) => (
        <Field
          key={name}
          name={name}
          field={field}
          text={texts[name] ?? ''}
          problem={problems[name]}
          onChange={(text) => onChange(name, text)}
        />
      ))}
    </Stack>
  );
}

interface FieldProps {
  readonly name: string;
  readonly field: ParameterField;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

function Field({ name, field, text, problem, onChange }: FieldProps) {
  const type = typeOf(field);
  const shared = {
    label: name,
    description: field.description,
    withAsterisk: field.required === true && field.default === undefined,
    error: problem,
    placeholder: field.secret ? undefined : placeholderOf(field),
  };
  const choices = type === 'boolean' ? ['true', 'false'] : field.enum?.map(textOfValue);
  if (choices) {
    return (
      <Select {...shared} data={choices} value={text || null} onChange={(value) => onChange(value ?? '')} clearable />
    );
  }
  const onInput = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  if (field.secret) {
    return (
      <PasswordInput
        {...shared}
        value={text}
        onChange={onInput}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t`Show or hide ${name}` }}
      />
    );
  }
  if (type === 'integer' || type === 'number') {
    return <TextInput {...shared} inputMode="decimal" value={text} onChange={onInput} />;
  }
  const isCode = type === 'array' || type === 'object';
  return (
    <Textarea
      {...shared}
      autosize
      minRows={type === 'object' ? 2 : 1}
      maxRows={12}
      value={text}
      onChange={onInput}
      {...(isCode && { styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } })}
    />
  );
}

function placeholderOf(field: ParameterField): string | undefined {
  if (field.default !== undefined && field.default !== null && field.default !== '') return textOfValue(field.default);
  switch (typeOf(field)) {
    case 'array':
      return t`a, b or ${'["a", "b"]'}`;
    case 'object':
      return '{"name": "value"}';
    default:
      return undefined;
  }
}
