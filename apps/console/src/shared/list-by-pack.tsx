import { Box, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PackMember {
  readonly id: string;
  readonly ref?: string;
  readonly pack?: string;
}

interface ListByPackProps<R extends PackMember> {
  readonly rows: readonly R[];
  /** @param index among all rows, for `data-list-row` */
  readonly children: (row: R, index: number) => ReactNode;
}

/** Rows below the names of their packs, both in alphabetical order. */
export function ListByPack<R extends PackMember>({ rows, children }: ListByPackProps<R>) {
  const sorted = rows.toSorted((a, b) => (a.ref ?? a.id).localeCompare(b.ref ?? b.id));
  let index = 0;
  return [...Map.groupBy(sorted, ({ pack = '' }) => pack)].map(([pack, members]) => (
    <Box key={pack} component="section" mb="md">
      <Title order={2} mb={4}>
        {pack}
      </Title>
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {members.map((row) => (
          <li key={row.id} className="list-row">
            {children(row, index++)}
          </li>
        ))}
      </Box>
    </Box>
  ));
}
