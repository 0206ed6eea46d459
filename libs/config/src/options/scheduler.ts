import { float, int } from '../option';
import { healthPort } from './health-port';
import { loggingFile } from './logging-file';

export const scheduler = {
  pool_size: int(10, 'How many executions one scheduler handles at a time.', { minimum: 1 }),
  sleep_interval: float(0.1, 'Seconds between two looks at the queue of executions.', { minimum: 0 }),
  gc_interval: float(10, 'Seconds between two searches for stuck executions.', { minimum: 0 }),
  execution_scheduling_timeout_threshold_min: float(1, 'Minutes after which a claimed execution counts as stuck.', {
    minimum: 0,
  }),
  retry_max_attempt: int(10, 'How often a failed database operation is tried again.', { minimum: 0 }),
  retry_wait_msec: int(3000, 'Milliseconds between two such attempts.', { minimum: 0 }),
  health_port: healthPort,
  logging: loggingFile,
};
