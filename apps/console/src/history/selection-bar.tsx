import { Button, Checkbox, Group } from '@mantine/core';
import { IconArrowsDiff, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ExecutionRow } from '../api/client';
import { Permitted, uidsOfExecution } from '../session/permissions';
import { BulkChange, type BulkKind } from './bulk-change';
import type { RowSelection } from './selection';

/** What can be done with the selected rows. @param newest the rows that can be selected at once */
export function SelectionBar({ selection, newest }: { selection: RowSelection; newest: readonly ExecutionRow[] }) {
  const { rows, set, clear } = selection;
  const [asked, setAsked] = useState<{ kind: BulkKind; rows: readonly ExecutionRow[] }>();
  const ask = (kind: BulkKind) => () => setAsked({ kind, rows: [...rows.values()] });
  const [first, second] = [...rows.keys()];
  const uids = [...rows.values()].flatMap(({ id, action }) => uidsOfExecution(id, action?.ref));
  const allSelected = newest.length > 0 && newest.every(({ id }) => rows.has(id));
  return (
    <>
      {newest.length > 0 && (
        <Group gap="xs" mb={6} mih={30} px={12} role="group" aria-label="Selected executions">
          <Checkbox
            size="xs"
            label={rows.size === 0 ? `Select the newest ${newest.length}` : `${rows.size} selected`}
            checked={allSelected}
            indeterminate={!allSelected && rows.size > 0}
            onChange={() => (rows.size > 0 ? clear() : set(newest, true))}
          />
          {rows.size === 2 && (
            <Button
              size="compact-xs"
              variant="default"
              component={Link}
              to={`/history/${first}/compare/${second}`}
              leftSection={<IconArrowsDiff size={14} aria-hidden />}
            >
              Compare
            </Button>
          )}
          {rows.size > 0 && (
            <>
              <Permitted permission="execution_stop" on={uids} to="cancel these executions">
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={ask('cancel')}
                  leftSection={<IconPlayerStop size={14} aria-hidden />}
                >
                  Cancel
                </Button>
              </Permitted>
              <Permitted permission="execution_rerun" on={uids} to="run them again">
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={ask('rerun')}
                  leftSection={<IconRefresh size={14} aria-hidden />}
                >
                  Run again
                </Button>
              </Permitted>
            </>
          )}
        </Group>
      )}
      {asked && <BulkChange {...asked} onDone={clear} onClose={() => setAsked(undefined)} />}
    </>
  );
}
