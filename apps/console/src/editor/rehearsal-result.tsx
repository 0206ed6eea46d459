import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { ApiFailure, type ShownRehearsal } from '../api/client';
import { JsonValue } from '../shared/json-value';
import { StatusBadge } from '../shared/status-badge';
import { WideTable } from '../shared/wide-table';
import { shownNumber } from '../locales/language';

interface RehearsalResultProps {
  readonly of: ShownRehearsal;
  /** Whether the texts are still those that were rehearsed. */
  readonly isCurrent: boolean;
  readonly onSelect: (task: string) => void;
}

/** How a rehearsed run went, and what differs from the expected outcome. */
export function RehearsalResult({ of: { passed, differences, outcome }, isCurrent, onSelect }: RehearsalResultProps) {
  return (
    <Stack component="section" gap="sm" aria-label={t`Outcome of the rehearsal`}>
      <Group gap="xs">
        {outcome && <StatusBadge status={outcome.status} />}
        <Text size="sm" role="status">
          {outcome ? summaryOf(differences.length, passed) : t`The definition has findings, so it was not run.`}
          {isCurrent ? '' : ` ${t`The texts have changed since.`}`}
        </Text>
      </Group>
      {outcome && differences.length > 0 && <Differences of={differences} />}
      {outcome && (
        <>
          <Tasks of={outcome.tasks} onSelect={onSelect} />
          <div>
            <Title order={3} size="h5" mb={4}>
              <Trans>Output</Trans>
            </Title>
            <JsonValue value={outcome.output} label={t`Output`} />
          </div>
          {outcome.errors.length > 0 && (
            <div>
              <Title order={3} size="h5" mb={4}>
                <Trans>Errors</Trans>
              </Title>
              <JsonValue value={outcome.errors} label={t`Errors`} />
            </div>
          )}
        </>
      )}
    </Stack>
  );
}

const summaryOf = (differences: number, passed: boolean): string =>
  passed
    ? t`The outcome is as expected.`
    : plural(differences, {
        one: '# difference from the expected outcome.',
        other: '# differences from the expected outcome.',
      });

const Differences = ({ of: differences }: { of: ShownRehearsal['differences'] }) => (
  <WideTable
    label={t`Differences`}
    minWidth={480}
    head={
      <>
        <Table.Th w={140}>
          <Trans>What</Trans>
        </Table.Th>
        <Table.Th>
          <Trans>Expected</Trans>
        </Table.Th>
        <Table.Th>
          <Trans>Actual</Trans>
        </Table.Th>
      </>
    }
  >
    {differences.map(({ what, expected, actual }) => (
      <Table.Tr key={what}>
        <Table.Td>{what}</Table.Td>
        <Table.Td>
          <Json value={expected} />
        </Table.Td>
        <Table.Td>
          <Json value={actual} />
        </Table.Td>
      </Table.Tr>
    ))}
  </WideTable>
);

/** More rows would make the page slow. */
const MOST_TASKS = 300;

type RehearsedTasks = NonNullable<ShownRehearsal['outcome']>['tasks'];

const Tasks = ({ of: tasks, onSelect }: { of: RehearsedTasks; onSelect: (task: string) => void }) => (
  <WideTable
    label={t`Tasks of the rehearsal`}
    minWidth={420}
    head={
      <>
        <Table.Th w={60}>
          <Trans>Order</Trans>
        </Table.Th>
        <Table.Th>
          <Trans>Task</Trans>
        </Table.Th>
        <Table.Th w={125}>
          <Trans>Status</Trans>
        </Table.Th>
        <Table.Th w="38%">
          <Trans>Input</Trans>
        </Table.Th>
      </>
    }
    foot={
      tasks.length > MOST_TASKS && (
        <Text size="sm" c="dimmed">
          <Trans>{shownNumber(tasks.length - MOST_TASKS)} more are not shown.</Trans>
        </Text>
      )
    }
  >
    {tasks.slice(0, MOST_TASKS).map(({ task, route, status, input, items }, index) => (
      <Table.Tr key={index}>
        <Table.Td>{index + 1}</Table.Td>
        <Table.Td style={{ overflowWrap: 'anywhere' }}>
          <Anchor component="button" type="button" size="sm" ta="left" onClick={() => onSelect(task)}>
            {task}
          </Anchor>
          {route > 0 && ` ${t`on route ${route}`}`}
        </Table.Td>
        <Table.Td>
          <StatusBadge status={status ?? undefined} />
        </Table.Td>
        <Table.Td>{items === undefined ? <Json value={input} /> : itemsText(items)}</Table.Td>
      </Table.Tr>
    ))}
  </WideTable>
);

const itemsText = (items: number): string => plural(items, { one: '# item', other: '# items' });

function Json({ value }: { value: unknown }) {
  if (value === undefined) return null;
  return (
    <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', display: 'block' }}>{JSON.stringify(value)}</Code>
  );
}

const messageAt = (line: number, isInDefinition: boolean, message: string): string =>
  isInDefinition ? t`Line ${line} of the definition: ${message}` : t`Line ${line}: ${message}`;

/** Why a rehearsal could not be run, with the place in its text or in the definition. */
export function RehearsalRefusal({ error }: { error: Error }) {
  const { field, line } = error instanceof ApiFailure ? error.details : {};
  return (
    <Alert color="orange" role="alert" title={t`The workflow was not rehearsed`}>
      {line === undefined ? error.message : messageAt(line, field === 'definition', error.message)}
    </Alert>
  );
}
