import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface WideTableProps {
  readonly label: string;
  /** In pixels. */
  readonly minWidth: number;
  readonly head: ReactNode;
  /** The rows. */
  readonly children: ReactNode;
  /** Below the table. */
  readonly foot?: ReactNode;
}

/** A table that scrolls sideways on narrow screens, also by keyboard. */
export const WideTable = ({ label, minWidth, head, children, foot }: WideTableProps) => (
  <div role="region" aria-label={label} tabIndex={0} style={{ overflowX: 'auto' }}>
    <Table layout="fixed" miw={minWidth} aria-label={label}>
      <Table.Thead>
        <Table.Tr>{head}</Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
    {foot}
  </div>
);
