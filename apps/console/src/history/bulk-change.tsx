import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, List, Modal, Progress, Text } from '@mantine/core';
import { IconPlayerStop, IconRefresh, type Icon } from '@tabler/icons-react';
import pMap from 'p-map';
import { useState } from 'react';
import { Link } from 'react-router';
import { answerTo, apiClient, type ExecutionRow } from '../api/client';
import { uidsOfExecution, usePermissionCheck } from '../session/permissions';
import { alternativesText } from '../locales/language';
import { hasEnded } from '../shared/status-badge';

export type BulkKind = 'cancel' | 'rerun';

/** Requests at the same time: other users need the server, too. */
const CONCURRENCY = 4;

interface Change {
  readonly verb: string;
  readonly button: (count: number) => string;
  /** What its permission is for. */
  readonly purpose: string;
  readonly Icon: Icon;
  readonly permission: string;
  readonly explanation: string;
  readonly color: string;
  readonly applies: (row: ExecutionRow) => boolean;
  /** @returns the execution to show, and what happened to it */
  readonly send: (id: string) => Promise<{ id: string; text: string }>;
}

export const BULK_CHANGES: Readonly<Record<BulkKind, Change>> = {
  cancel: {
    verb: t`Cancel`,
    button: (count) => plural(count, { one: 'Cancel # execution', other: 'Cancel # executions' }),
    purpose: t`cancel these executions`,
    Icon: IconPlayerStop,
    permission: 'execution_stop',
    explanation: t`Work that is already done is not undone.`,
    color: 'red',
    applies: ({ status }) => !hasEnded(status),
    async send(id) {
      const answer = await answerTo(apiClient.DELETE('/api/v1/executions/{id}', { params: { path: { id } } }));
      // It had ended in the meantime.
      if ('faultstring' in answer) throw new Error(answer.faultstring);
      return { id, text: answer.status };
    },
  },
  rerun: {
    verb: t`Run again`,
    button: (count) => plural(count, { one: 'Run again # execution', other: 'Run again # executions' }),
    purpose: t`run them again`,
    Icon: IconRefresh,
    permission: 'execution_rerun',
    explanation: t`Each runs its action again, with the same parameters.`,
    color: 'blue',
    applies: () => true,
    async send(id) {
      const again = apiClient.POST('/api/v1/executions/{id}/re_run', { params: { path: { id } }, body: {} });
      return { id: (await answerTo(again)).id, text: t`started` };
    },
  },
};

interface Outcome {
  readonly row: ExecutionRow;
  readonly done?: { readonly id: string; readonly text: string };
  readonly failure?: string;
}

interface BulkChangeProps {
  readonly kind: BulkKind;
  readonly rows: readonly ExecutionRow[];
  /** Changes have been sent. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks for a confirmation, changes the rows, and shows what became of each. */
export function BulkChange({ kind, rows, onDone, onClose }: BulkChangeProps) {
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>();
  const { verb } = BULK_CHANGES[kind];
  return (
    <Modal opened onClose={onClose} title={t`${verb}: ${count(rows)}`} closeButtonProps={{ 'aria-label': t`Close` }}>
      {outcomes ? (
        <Outcomes outcomes={outcomes} onClose={onClose} />
      ) : (
        <Confirmation
          kind={kind}
          rows={rows}
          onClose={onClose}
          onDone={(done) => {
            setOutcomes(done);
            onDone();
          }}
        />
      )}
    </Modal>
  );
}

const count = ({ length }: { readonly length: number }): string =>
  plural(length, { one: '# execution', other: '# executions' });

interface ConfirmationProps extends Omit<BulkChangeProps, 'onDone'> {
  readonly onDone: (outcomes: readonly Outcome[]) => void;
}

function Confirmation({ kind, rows, onClose, onDone }: ConfirmationProps) {
  const [finished, setFinished] = useState<number>();
  const { button, permission, explanation, color, applies } = BULK_CHANGES[kind];
  const may = usePermissionCheck();
  const permitted = rows.filter(({ id, action }) => may(permission, ...uidsOfExecution(id, action?.ref)));
  const changed = permitted.filter(applies);
  const reasons = [
    ...(rows.every(applies) ? [] : [t`have ended`]),
    ...(permitted.length === rows.length ? [] : [t`are not permitted by your roles (${permission})`]),
  ];
  const begin = async () => {
    setFinished(0);
    const change = async (row: ExecutionRow): Promise<Outcome> => {
      const outcome = await outcomeOf(kind, row);
      setFinished((before = 0) => before + 1);
      return outcome;
    };
    onDone(await pMap(changed, change, { concurrency: CONCURRENCY }));
  };
  return (
    <>
      <Text size="sm">
        {changed.length === rows.length
          ? explanation
          : t`${changed.length} of ${count(rows)} can be changed; the others ${alternativesText(reasons)}. ${explanation}`}
      </Text>
      {finished !== undefined && (
        <Progress value={(finished / changed.length) * 100} mt="md" aria-label={t`Progress of the change`} />
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          <Trans>Leave them</Trans>
        </Button>
        <Button
          color={color}
          disabled={changed.length === 0}
          loading={finished !== undefined}
          onClick={() => void begin()}
        >
          {button(changed.length)}
        </Button>
      </Group>
    </>
  );
}

async function outcomeOf(kind: BulkKind, row: ExecutionRow): Promise<Outcome> {
  try {
    return { row, done: await BULK_CHANGES[kind].send(row.id) };
  } catch (error) {
    return { row, failure: error instanceof Error ? error.message : String(error) };
  }
}

function Outcomes({ outcomes, onClose }: { outcomes: readonly Outcome[]; onClose: () => void }) {
  const failed = outcomes.filter(({ failure }) => failure !== undefined);
  return (
    <>
      <Text size="sm" role="status" mb="sm">
        {failed.length > 0
          ? t`${outcomes.length - failed.length} of ${outcomes.length} succeeded, ${failed.length} failed.`
          : t`${outcomes.length} of ${outcomes.length} succeeded.`}
      </Text>
      <List size="sm" spacing={6} aria-label={t`Results`}>
        {outcomes.map(({ row, done, failure }) => (
          <List.Item key={row.id} style={{ overflowWrap: 'anywhere' }}>
            <Anchor component={Link} to={`/history/${done?.id ?? row.id}`} size="sm">
              {row.action?.ref ?? row.id}
            </Anchor>{' '}
            <Text span size="sm" c={failure === undefined ? 'dimmed' : 'red'}>
              {failure ?? done?.text}
            </Text>
          </List.Item>
        ))}
      </List>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </Group>
    </>
  );
}
