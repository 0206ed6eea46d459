import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { taskVariables } from '../api/queries';
import { conjunctionText } from '../locales/language';
import { JsonValue } from '../shared/json-value';

interface TaskVariablesProps {
  /** The execution of the workflow. */
  readonly id: string;
  /** The run of a task. */
  readonly run: string;
}

/** The variables of a workflow before and after one run of a task. */
export function TaskVariables({ id, run }: TaskVariablesProps) {
  const { data, error } = useQuery(taskVariables(id, run));
  if (error)
    return (
      <Text c="dimmed">
        <Trans>The variables of this run cannot be read: {error.message}</Trans>
      </Text>
    );
  if (!data) return null;
  const { before, after, omitted } = data;
  return (
    <>
      <Title order={3}>
        <Trans>Context before</Trans>
      </Title>
      <Variables values={before} label={t`context before`} />
      {after.map(({ to, published }) => (
        <section key={to.join()} aria-label={afterTitle(to)}>
          <Title order={3}>{afterTitle(to)}</Title>
          <Text size="sm" c="dimmed" mb="xs">
            {publishedWords(Object.keys(published))}
          </Text>
          <Variables values={{ ...before, ...published }} label={t`context after ${to.join(', ')}`} />
        </section>
      ))}
      {omitted.length > 0 && (
        <Text size="sm" c="dimmed">
          <Trans>Too large to be shown here: {omitted.join(', ')}.</Trans>
        </Text>
      )}
    </>
  );
}

const Variables = ({ values, label }: { values: Readonly<Record<string, unknown>>; label: string }) => (
  <JsonValue value={Object.keys(values).length === 0 ? undefined : values} label={label} />
);

const afterTitle = (to: readonly string[]): string =>
  to.length === 0 ? t`Context after` : t`Context after, for ${conjunctionText(to)}`;

const publishedWords = (names: readonly string[]): string =>
  names.length === 0 ? t`Nothing was published.` : t`Published: ${names.join(', ')}.`;
