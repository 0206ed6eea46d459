import { bool, int } from '../option';
import { healthPort } from './health-port';
import { loggingFile } from './logging-file';

export const workflowEngine = {
  retry_stop_max_msec: int(60000, 'Milliseconds after which conflicting writes are no longer tried again.', {
    minimum: 0,
  }),
  retry_wait_fixed_msec: int(1000, 'Milliseconds between two such attempts.', { minimum: 0 }),
  retry_max_jitter_msec: int(1000, 'Up to so many milliseconds are added to that pause.', { minimum: 0 }),
  gc_max_idle_sec: int(0, 'Workflows that were idle for so many seconds are cancelled; 0 for never.', { minimum: 0 }),
  max_depth: int(20, 'How many workflows may run in one another.', { minimum: 1 }),
  max_tasks: int(100000, 'How many task runs one workflow may have, retries not counted.', { minimum: 1 }),
  max_items: int(100000, 'How many items all with-items tasks of one workflow may have together.', { minimum: 1 }),
  max_published_mb: int(256, 'How many megabytes one workflow may publish in all.', { minimum: 1 }),
  cancel_running_actions: bool(
    true,
    'Whether cancelling a workflow ends the actions of it that run; if not, they run to their end, as in StackStorm.',
  ),
  fail_unrendered_chains: bool(
    false,
    'Whether a chain ends as failed where the parameters of a node cannot be rendered, as in StackStorm; if not, on-failure is followed.',
  ),
  exit_still_active_check: int(300, 'How long to wait for running work when stopping, seconds.', { minimum: 0 }),
  still_active_check_interval: int(2, 'Seconds between two looks whether it has ended.', { minimum: 0 }),
  health_port: healthPort,
  logging: loggingFile,
};
