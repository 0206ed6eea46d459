import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';

/** Shows why a change was refused. */
export function showFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  notifications.show({ title: t`The change failed`, message, color: 'red', autoClose: 10_000 });
}
