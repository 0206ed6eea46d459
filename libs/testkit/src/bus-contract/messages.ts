import { newId } from '@switchyard/base';
import { announcement, executionChange, executionStatus } from '@switchyard/messaging';

export const routed = (route: string) => announcement({ route, payload: null });

export const scheduled = (pool?: string) =>
  executionStatus({
    id: newId(),
    ref: 'core.local',
    status: 'scheduled',
    revision: 1,
    ...(pool === undefined ? {} : { pool }),
  });

export const changed = () =>
  executionChange({
    change: 'update',
    id: newId(),
    liveaction_id: newId(),
    ref: 'core.local',
    status: 'running',
    revision: 2,
    trace: null,
  });
