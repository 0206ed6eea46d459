import { bool, list } from '../option';

export const actionSensor = {
  enable: bool(true, 'Emit the action trigger when an execution ends.'),
  emit_when: list(
    ['succeeded', 'failed', 'timeout', 'canceled', 'abandoned'],
    'The statuses of executions that emit the action trigger.',
  ),
};
