import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { taskVariables } from '../api/queries';
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
  if (error) return <Text c="dimmed">The variables of this run cannot be read: {error.message}</Text>;
  if (!data) return null;
  const { before, after, omitted } = data;
  return (
    <>
      <Title order={3}>Context before</Title>
      <Variables values={before} label="context before" />
      {after.map(({ to, published }) => (
        <section key={to.join()} aria-label={afterTitle(to)}>
          <Title order={3}>{afterTitle(to)}</Title>
          <Text size="sm" c="dimmed" mb="xs">
            {publishedWords(Object.keys(published))}
          </Text>
          <Variables values={{ ...before, ...published }} label={`context after ${to.join(', ')}`} />
        </section>
      ))}
      {omitted.length > 0 && (
        <Text size="sm" c="dimmed">
          Too large to be shown here: {omitted.join(', ')}.
        </Text>
      )}
    </>
  );
}

const Variables = ({ values, label }: { values: Readonly<Record<string, unknown>>; label: string }) => (
  <JsonValue value={Object.keys(values).length === 0 ? undefined : values} label={label} />
);

const afterTitle = (to: readonly string[]): string =>
  to.length === 0 ? 'Context after' : `Context after, for ${to.join(' and ')}`;

const publishedWords = (names: readonly string[]): string =>
  names.length === 0 ? 'Nothing was published.' : `Published: ${names.join(', ')}.`;
