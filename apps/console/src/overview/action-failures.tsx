import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ShownStatistics } from '../api/client';
import { intlLocale, shownNumber } from '../locales/language';

const percent = new Intl.NumberFormat(intlLocale(), { style: 'percent', maximumFractionDigits: 1 });

/** The actions that failed most, with their failure rate. */
export function ActionFailures({ actions }: { actions: ShownStatistics['actions'] }) {
  const failing = actions.filter(({ failed }) => failed > 0);
  if (failing.length === 0)
    return (
      <Text c="dimmed">
        <Trans>Nothing has failed.</Trans>
      </Text>
    );
  return (
    <Table aria-label={t`Failures by action`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>
            <Trans>Action</Trans>
          </Table.Th>
          <Table.Th ta="right">
            <Trans>Ended</Trans>
          </Table.Th>
          <Table.Th ta="right">
            <Trans>Failed</Trans>
          </Table.Th>
          <Table.Th ta="right">
            <Trans>Rate</Trans>
          </Table.Th>
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
            <Table.Td ta="right">{shownNumber(ended)}</Table.Td>
            <Table.Td ta="right">{shownNumber(failed)}</Table.Td>
            <Table.Td ta="right">{percent.format(failed / Math.max(ended, 1))}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
