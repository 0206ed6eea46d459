import { float, int, legacy, weights } from '../option';
import { healthPort } from './health-port';
import { loggingFile } from './logging-file';

const sweeps = legacy('[sweep] says when work counts as stuck');
const triesAgain = legacy('work whose handling failed is found again by the sweep, until it succeeds');

export const scheduler = {
  pool_size: int(50, 'How many requests one scheduler handles at a time.', { minimum: 1 }),
  user_weights: weights(
    'What the executions of a user count when those of several users wait for the same runners, such as deploy:3,reports:0.5. Users that are not named have 1.',
  ),
  interactive_weight: float(
    4,
    'What executions that a user has asked for directly count against those that are part of workflows, which count 1.',
    { minimum: 0.001 },
  ),
  sleep_interval: legacy('messages wake the scheduler; it does not poll'),
  gc_interval: sweeps,
  execution_scheduling_timeout_threshold_min: sweeps,
  retry_max_attempt: triesAgain,
  retry_wait_msec: triesAgain,
  health_port: healthPort,
  logging: loggingFile,
};
