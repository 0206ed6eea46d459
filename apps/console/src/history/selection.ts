import { useCallback, useState } from 'react';
import type { ExecutionRow } from '../api/client';

/** The rows that the user has selected, by id. */
export interface RowSelection {
  readonly rows: ReadonlyMap<string, ExecutionRow>;
  readonly set: (rows: readonly ExecutionRow[], selected: boolean) => void;
  readonly clear: () => void;
}

export function useSelection(): RowSelection {
  const [rows, setRows] = useState<ReadonlyMap<string, ExecutionRow>>(new Map());
  const set = useCallback((changed: readonly ExecutionRow[], selected: boolean) => {
    setRows((before) => {
      const after = new Map(before);
      for (const row of changed) {
        if (selected) after.set(row.id, row);
        else after.delete(row.id);
      }
      return after;
    });
  }, []);
  const clear = useCallback(() => setRows(new Map()), []);
  return { rows, set, clear };
}
