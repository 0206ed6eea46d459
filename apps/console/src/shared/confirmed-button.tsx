import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { modals } from '@mantine/modals';

interface ConfirmedButtonProps {
  /** The text of the button. */
  readonly action: string;
  /** Its name for screen readers, if several buttons of the page have the same text. */
  readonly label?: string;
  readonly question: string;
  /** What happens then. */
  readonly consequence: string;
  readonly confirm: string;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
}

/** A button for something that cannot be undone: it asks first. */
export function ConfirmedButton(props: ConfirmedButtonProps) {
  const { action, label = action, question, consequence, confirm, isPending, onConfirm } = props;
  const ask = () =>
    modals.openConfirmModal({
      title: question,
      children: <Text size="sm">{consequence}</Text>,
      labels: { confirm, cancel: t`Cancel` },
      confirmProps: { color: 'red' },
      onConfirm,
    });
  return (
    <Button size="compact-xs" variant="default" loading={isPending} aria-label={label} onClick={ask}>
      {action}
    </Button>
  );
}
