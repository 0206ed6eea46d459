import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ExecutionRow } from '../api/client';
import { Permitted, uidsOfExecution } from '../session/permissions';
import { BULK_CHANGES, BulkChange, type BulkKind } from './bulk-change';
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
        <Group gap="xs" mb={6} mih={30} px={12} role="group" aria-label={t`Selected executions`}>
          <Checkbox
            size="xs"
            label={rows.size === 0 ? t`Select the newest ${newest.length}` : t`${rows.size} selected`}
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
              <Trans>Compare</Trans>
            </Button>
          )}
          {rows.size > 0 &&
            BULK_KINDS.map((kind) => <BulkButton key={kind} kind={kind} on={uids} onClick={ask(kind)} />)}
        </Group>
      )}
      {asked && <BulkChange {...asked} onDone={clear} onClose={() => setAsked(undefined)} />}
    </>
  );
}

const BULK_KINDS: readonly BulkKind[] = ['cancel', 'rerun'];

interface BulkButtonProps {
  readonly kind: BulkKind;
  /** The uids of the rows. */
  readonly on: readonly string[];
  readonly onClick: () => void;
}

function BulkButton({ kind, on, onClick }: BulkButtonProps) {
  const { permission, verb, purpose, Icon } = BULK_CHANGES[kind];
  return (
    <Permitted permission={permission} on={on} to={purpose}>
      <Button size="compact-xs" variant="default" onClick={onClick} leftSection={<Icon size={14} aria-hidden />}>
        {verb}
      </Button>
    </Permitted>
  );
}
