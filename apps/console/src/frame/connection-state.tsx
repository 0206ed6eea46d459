import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import { useConnection, type Connection } from '../api/live-updates';

const SHOWN: Readonly<Record<Connection, { color: string; label: string }>> = {
  connecting: { color: 'gray', label: t`Connecting` },
  live: { color: 'green', label: t`Live` },
  lost: { color: 'red', label: t`Reconnecting` },
};

/** Whether changes arrive as they happen. */
export function ConnectionState() {
  const { color, label } = SHOWN[useConnection()];
  return (
    <Badge variant="dot" color={color} role="status" tt="none">
      {label}
    </Badge>
  );
}
