import { int, legacy } from '../option';
import { healthPort } from './health-port';
import { loggingFile } from './logging-file';

const sweeps = legacy('[sweep] says when work counts as stuck');
const triesAgain = legacy('work whose handling failed is found again by the sweep, until it succeeds');

export const scheduler = {
  pool_size: int(50, 'How many requests one scheduler handles at a time.', { minimum: 1 }),
  sleep_interval: legacy('messages wake the scheduler; it does not poll'),
  gc_interval: sweeps,
  execution_scheduling_timeout_threshold_min: sweeps,
  retry_max_attempt: triesAgain,
  retry_wait_msec: triesAgain,
  health_port: healthPort,
  logging: loggingFile,
};
