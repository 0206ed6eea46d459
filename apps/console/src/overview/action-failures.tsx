import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ShownStatistics } from '../api/client';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** The actions that failed most, with their failure rate. */
export function ActionFailures({ actions }: { actions: ShownStatistics['actions'] }) {
  const failing = actions.filter(({ failed }) => failed > 0);
  if (failing.length === 0) return <Text c="dimmed">Nothing has failed.</Text>;
  return (
    <Table aria-label="Failures by action">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Action</Table.Th>
          <Table.Th ta="right">Ended</Table.Th>
          <Table.Th ta="right">Failed</Table.Th>
          <Table.Th ta="right">Rate</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {failing.map(({ action, ended, failed }) => (
          <Table.Tr key={action}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Anchor component={Link} to={`/history?action=${action}&status=failed&tasks=shown`} size="sm">
                {action}
              </Anchor>
            </Table.Td>
            <Table.Td ta="right">{ended.toLocaleString('en')}</Table.Td>
            <Table.Td ta="right">{failed.toLocaleString('en')}</Table.Td>
            <Table.Td ta="right">{percent.format(failed / Math.max(ended, 1))}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
