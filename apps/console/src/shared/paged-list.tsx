import { t } from '@lingui/core/macro';
import { Box, Pagination } from '@mantine/core';
import type { ReactNode } from 'react';
import { PAGE_SIZE } from '../api/queries';

interface PagedListProps<R extends { readonly id: string }> {
  /** What the rows are, in plural. */
  readonly name: string;
  readonly rows: readonly R[];
  /** The number of rows on all pages. */
  readonly total: number;
  /** The number of the page, from 1. */
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly children: (row: R, index: number) => ReactNode;
}

const PAGE_NAMES = { first: t`first page`, previous: t`previous page`, next: t`next page`, last: t`last page` };

/** One page of a long list, and the way to the others. */
export const PagedList = <R extends { readonly id: string }>(props: PagedListProps<R>) => (
  <>
    <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {props.rows.map((row, index) => (
        <li key={row.id} style={{ height: 44 }}>
          {props.children(row, index)}
        </li>
      ))}
    </Box>
    {props.total > PAGE_SIZE && (
      <Pagination
        mt="md"
        aria-label={t`Pages of ${props.name}`}
        getControlProps={(control) => ({ 'aria-label': PAGE_NAMES[control] })}
        total={Math.ceil(props.total / PAGE_SIZE)}
        value={props.page}
        onChange={props.onPage}
      />
    )}
  </>
);
