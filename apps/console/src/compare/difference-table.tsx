import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Code, Table, Text } from '@mantine/core';
import { diffLines } from 'diff';
import { WideTable } from '../shared/wide-table';
import type { ComparedValue } from './differences';
import { shownNumber } from '../locales/language';

/** More rows would make the page slow. */
const MOST_ROWS = 300;

interface DifferenceTableProps {
  readonly label: string;
  readonly values: readonly ComparedValue[];
  readonly onlyDifferences: boolean;
}

/** Values of two runs side by side. */
export function DifferenceTable({ label, values, onlyDifferences }: DifferenceTableProps) {
  const chosen = onlyDifferences ? values.filter(({ kind }) => kind === 'different') : values;
  if (chosen.length === 0) return <Text c="dimmed">{nothingToShow(values)}</Text>;
  return (
    <WideTable
      label={label}
      minWidth={640}
      head={
        <>
          <Table.Th w="24%">
            <Trans>Field</Trans>
          </Table.Th>
          <Table.Th>
            <Trans>First run</Trans>
          </Table.Th>
          <Table.Th>
            <Trans>Second run</Trans>
          </Table.Th>
          <Table.Th w={110}>
            <Trans>Compared</Trans>
          </Table.Th>
        </>
      }
      foot={
        chosen.length > MOST_ROWS && (
          <Text size="sm" c="dimmed" mt="xs">
            <Trans>{shownNumber(chosen.length - MOST_ROWS)} more rows are not shown.</Trans>
          </Text>
        )
      }
    >
      {chosen.slice(0, MOST_ROWS).map((value) => (
        <DifferenceRow key={value.path} value={value} />
      ))}
    </WideTable>
  );
}

function nothingToShow(values: readonly ComparedValue[]): string {
  if (values.some(({ kind }) => kind === 'masked'))
    return t`No differences, apart from secrets, which are not compared.`;
  return t`No differences.`;
}

const KINDS = {
  same: { color: 'gray', label: t`same` },
  different: { color: 'orange', label: t`different` },
  masked: { color: 'gray', label: t`masked` },
} as const;

function DifferenceRow({ value: { path, left, right, kind } }: { value: ComparedValue }) {
  const parts = kind === 'different' ? changedLines(left, right) : undefined;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>{path === '' ? t`value` : path}</Table.Td>
      <Table.Td style={{ verticalAlign: 'top' }}>
        <Value value={left} parts={parts?.filter(({ added }) => !added)} />
      </Table.Td>
      <Table.Td style={{ verticalAlign: 'top' }}>
        <Value value={right} parts={parts?.filter(({ removed }) => !removed)} />
      </Table.Td>
      <Table.Td style={{ verticalAlign: 'top' }}>
        <Badge variant="light" tt="none" color={KINDS[kind].color}>
          {KINDS[kind].label}
        </Badge>
      </Table.Td>
    </Table.Tr>
  );
}

type Part = ReturnType<typeof diffLines>[number];

function Value({ value, parts }: { value: unknown; parts: readonly Part[] | undefined }) {
  if (value === undefined)
    return (
      <Text c="dimmed">
        <Trans>none</Trans>
      </Text>
    );
  const text = textOf(value);
  return (
    // A long text scrolls, also by keyboard.
    <Code className="compared-value" {...(text.length > LONG_TEXT ? { tabIndex: 0 } : {})}>
      {parts
        ? parts.map((part, at) => (part.added || part.removed ? <mark key={at}>{part.value}</mark> : part.value))
        : text}
    </Code>
  );
}

const LONG_TEXT = 300;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** Longer texts are shown without marks. */
const LONGEST_COMPARED = 100_000;
const MOST_EDITS = 1000;

/** The changed lines of two texts of several lines; undefined for other values. */
function changedLines(left: unknown, right: unknown): Part[] | undefined {
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  if (!left.includes('\n') && !right.includes('\n')) return undefined;
  if (left.length + right.length > LONGEST_COMPARED) return undefined;
  return diffLines(left, right, { maxEditLength: MOST_EDITS });
}
