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
        title="Leave without saving?"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Text size="sm">Your changes of the workflow would be lost.</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={stay} data-autofocus>
            Stay
          </Button>
          <Button color="red" onClick={proceed}>
            Leave
          </Button>
        </Group>
      </Modal>
    ),
    leave: () => {
      isLeaving.current = true;
    },
  };
}
