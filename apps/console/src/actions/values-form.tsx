import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { ParameterForm } from './parameter-form';
import { readParameters, type FieldTexts, type ParameterFields } from './parameter-values';

interface ValuesFormProps {
  readonly fields: ParameterFields;
  /** What the fields contain at first. */
  readonly before?: FieldTexts;
  /** The text of the button. */
  readonly action: string;
  readonly isPending: boolean;
  /** Called only with values that fit their fields. */
  readonly onSubmit: (values: Readonly<Record<string, unknown>>) => void;
}

/** Fields with one button below. Problems are shown once somebody tries to submit. */
export function ValuesForm({ fields, before = {}, action, isPending, onSubmit }: ValuesFormProps) {
  const [texts, setTexts] = useState<FieldTexts>(before);
  const [showsProblems, setShowsProblems] = useState(false);
  const { values, problems } = readParameters(fields, texts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowsProblems(true);
    if (Object.keys(problems).length === 0) onSubmit(values);
  };
  return (
    <form onSubmit={submit} noValidate>
      <ParameterForm
        fields={fields}
        texts={texts}
        problems={showsProblems ? problems : {}}
        onChange={(name, text) => setTexts((shown) => ({ ...shown, [name]: text }))}
      />
      <Button type="submit" mt="md" loading={isPending}>
        {action}
      </Button>
    </form>
  );
}
