import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useCallback, useRef } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';

interface UnsavedChanges {
  /** The dialog, once the user wants to leave. */
  readonly question: React.ReactNode;
  /** Allows leaving, for a change that has just been saved. */
  readonly leave: () => void;
}

/** Asks before the page is left with unsaved changes. @param onDiscard the user leaves, and the changes are lost */
export function useUnsavedChanges(isChanged: boolean, onDiscard: () => void): UnsavedChanges {
  const isLeaving = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isChanged && !isLeaving.current && currentLocation.pathname !== nextLocation.pathname,
  );
  const warn = useCallback(
    (event: BeforeUnloadEvent) => {
      if (isChanged) event.preventDefault();
    },
    [isChanged],
  );
  useBeforeUnload(warn);
  const stay = () => blocker.reset?.();
  const proceed = () => {
    onDiscard();
    blocker.proceed?.();
  };
  return {
    question: (
      <Modal
        opened={blocker.state === 'blocked'}
        onClose={stay}
        title={t`Leave without saving?`}
        closeButtonProps={{ 'aria-label': t`Close` }}
      >
        <Text size="sm">
          <Trans>Your changes of the workflow would be lost.</Trans>
        </Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={stay} data-autofocus>
            <Trans>Stay</Trans>
          </Button>
          <Button color="red" onClick={proceed}>
            <Trans>Leave</Trans>
          </Button>
        </Group>
      </Modal>
    ),
    leave: () => {
      isLeaving.current = true;
    },
  };
}
