import { MIB } from '@switchyard/base';
import { bool, choice, int, legacy, list, path } from '../option';
import { healthPort } from './health-port';
import { loggingFile } from './logging-file';

const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL', 'AUDIT'] as const;

export const actionrunner = {
  actions_pool_size: int(60, 'How many actions, workflows aside, run at a time in one process.', { minimum: 1 }),
  workflows_pool_size: legacy('workflows take no slot of an action runner, so any number of them may run'),
  labels: list([], 'Labels of this process; executions may ask for one.'),
  max_output_bytes: int(10 * MIB, 'How much of the standard output, and of the error output, of a run is kept.', {
    minimum: 0,
  }),
  graceful_shutdown: bool(true, 'When stopping, wait for running actions.'),
  exit_still_active_check: int(300, 'How long to wait for them, seconds.', { minimum: 0 }),
  still_active_check_interval: legacy('the end of a run is awaited, not polled'),
  python_binary: path('python3', 'Python for actions of packs without a virtual environment.'),
  virtualenv_binary: path('virtualenv', 'The program that creates virtual environments.'),
  virtualenv_opts: list(['--system-site-packages'], 'Options of that program.'),
  pip_opts: list([], 'Options of pip install.'),
  python_runner_log_level: choice(logLevels, 'DEBUG', 'The level from which Python actions log.'),
  python_warm_workers: bool(true, 'Keep interpreters ready, so that a Python action need not wait for one to start.'),
  stream_output: bool(true, 'Store and publish output while an action runs.'),
  stream_output_buffer_size: int(
    -1,
    'Bytes of output to collect before they are stored and published; 0 and -1 deliver at once.',
    { minimum: -1, maximum: MIB },
  ),
  health_port: healthPort,
  logging: loggingFile,
};
