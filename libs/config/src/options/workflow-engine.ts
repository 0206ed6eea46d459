import { bool, int, legacy } from '../option';
import { healthPort } from './health-port';
import { loggingFile } from './logging-file';

const triesAgain = legacy('a step that failed is tried again each second, for as long as the store is away');
const stopsAtOnce = legacy('a stopping engine finishes the step at hand; another one, or the next start, goes on');

export const workflowEngine = {
  retry_stop_max_msec: triesAgain,
  retry_wait_fixed_msec: triesAgain,
  retry_max_jitter_msec: triesAgain,
  gc_max_idle_sec: legacy('no workflow is left without an engine: another one goes on with it'),
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
  exit_still_active_check: stopsAtOnce,
  still_active_check_interval: stopsAtOnce,
  health_port: healthPort,
  logging: loggingFile,
};
