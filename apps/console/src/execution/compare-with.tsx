import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Modal, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { executionPage } from '../api/queries';
import { StatusBadge } from '../shared/status-badge';
import { Duration, RelativeTime } from '../shared/times';

interface CompareWithProps {
  readonly id: string;
  readonly actionRef: string;
}

/** Chooses another run, of the same action or by its id, to compare this one with. */
export function CompareWith(props: CompareWithProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open} leftSection={<IconArrowsDiff size={14} aria-hidden />}>
        <Trans>Compare with…</Trans>
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t`Compare with another run`}
        closeButtonProps={{ 'aria-label': t`Close` }}
      >
        <OtherRuns {...props} />
      </Modal>
    </>
  );
}

const SHOWN = 10;
const EXECUTION_ID = /^[0-9a-f]{24}$/;

function OtherRuns({ id, actionRef }: CompareWithProps) {
  const [text, setText] = useState('');
  const sought = text.trim();
  const isId = EXECUTION_ID.test(sought);
  const { data } = useQuery(executionPage(isId ? { id: sought } : { action: actionRef }, 0));
  const others = data?.rows.filter((row) => row.id !== id).slice(0, SHOWN);
  return (
    <>
      <TextInput
        label={t`Id of an execution`}
        description={t`The list shows the last runs of the same action.`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={sought === '' || isId ? undefined : t`An id has 24 characters from 0 to 9 and a to f.`}
        mb="sm"
      />
      {others?.length === 0 && (
        <Text c="dimmed">
          <Trans>There is no such run.</Trans>
        </Text>
      )}
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t`Runs`}>
        {others?.map((row) => (
          <li key={row.id} style={{ height: 40 }}>
            <Link to={`/history/${id}/compare/${row.id}`} className="row-link">
              <StatusBadge status={row.status} />
              <Text size="sm" style={{ flexGrow: 1 }}>
                <RelativeTime time={row.start_timestamp} />
              </Text>
              <Text size="sm" c="dimmed">
                <Duration of={row} />
              </Text>
            </Link>
          </li>
        ))}
      </Box>
    </>
  );
}
