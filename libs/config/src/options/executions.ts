import { MIB } from '@switchyard/base';
import { bool, choice, floatOption, intOption, legacy, list, path, str, weights } from '../option';
import { healthPort, loggingFile } from './each-service';

const setBySweep = legacy('[sweep] sets when work counts as stuck');
const retriedBySweep = legacy('the sweep finds failed work and retries it until it succeeds');

export const scheduler = {
  pool_size: intOption(50, 'Maximum number of requests that one scheduler handles at a time.', { minimum: 1 }),
  user_weights: weights(
    'Weights of users whose executions wait for the same runners, for example deploy:3,reports:0.5. Users not listed have weight 1.',
  ),
  interactive_weight: floatOption(
    4,
    'Weight of executions that a user requested directly, relative to those that are part of workflows, which have weight 1.',
    { minimum: 0.001 },
  ),
  sleep_interval: legacy('messages wake the scheduler; it does not poll'),
  gc_interval: setBySweep,
  execution_scheduling_timeout_threshold_min: setBySweep,
  retry_max_attempt: retriedBySweep,
  retry_wait_msec: retriedBySweep,
  health_port: healthPort,
  logging: loggingFile(),
};

const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL', 'AUDIT'] as const;

export const actionrunner = {
  actions_pool_size: intOption(
    60,
    'Maximum number of actions, not counting workflows, that one process runs at a time.',
    {
      minimum: 1,
    },
  ),
  workflows_pool_size: legacy('workflows do not use slots of action runners, so their number is not limited'),
  labels: list([], 'Labels of this process. An execution that requests a label only runs in a process that has it.'),
  default_pool: bool(
    true,
    'Also run executions that request no label. If false, this process only runs those that request one of its labels.',
  ),
  max_output_bytes: intOption(
    10 * MIB,
    'Maximum number of bytes kept of the standard output of a run, and of its error output.',
    {
      minimum: 0,
    },
  ),
  graceful_shutdown: bool(true, 'Wait for running actions when stopping.'),
  exit_still_active_check: intOption(300, 'Maximum time to wait for running actions when stopping, in seconds.', {
    minimum: 0,
  }),
  still_active_check_interval: legacy('the end of a run is an event; nothing polls for it'),
  python_binary: path('python3', 'Python for actions of packs without a virtual environment.'),
  virtualenv_binary: path('virtualenv', 'The program that creates virtual environments.'),
  virtualenv_opts: list(['--system-site-packages'], 'Options passed to virtualenv_binary.'),
  pip_opts: list([], 'Options passed to pip install.'),
  python_runner_log_level: choice(logLevels, 'DEBUG', 'Minimum level of log lines from Python actions.'),
  python_warm_workers: bool(
    true,
    'Keep Python interpreters running, so that a Python action does not wait for one to start.',
  ),
  stackstorm_paths: choice(
    ['rewrite', 'mount', 'off'],
    'rewrite',
    'How to handle paths below /opt/stackstorm in packs: rewrite them in interpreter lines and working directories of scripts, or also mount them for each process of an action.',
  ),
  stream_output: bool(true, 'Store and publish output while an action runs.'),
  stream_output_buffer_size: intOption(
    -1,
    'Number of bytes of output to collect before storing and publishing them. With 0 or -1, output is stored and published at once.',
    { minimum: -1, maximum: MIB },
  ),
  health_port: healthPort,
  logging: loggingFile(),
};

const retriedEachSecond = legacy('a failed step is retried every second until the store is available');
const stopsAtOnce = legacy('a stopping engine finishes its current step; another engine, or the next start, continues');

export const workflowEngine = {
  retry_stop_max_msec: retriedEachSecond,
  retry_wait_fixed_msec: retriedEachSecond,
  retry_max_jitter_msec: retriedEachSecond,
  gc_max_idle_sec: legacy('another engine takes over the workflows of a dead one'),
  max_depth: intOption(20, 'Maximum nesting depth of workflows.', { minimum: 1 }),
  max_tasks: intOption(100000, 'Maximum number of task runs in one workflow, not counting retries.', { minimum: 1 }),
  max_items: intOption(100000, 'Maximum total number of items in all with-items tasks of one workflow.', {
    minimum: 1,
  }),
  max_published_mb: intOption(256, 'Maximum amount of data that one workflow may publish, in megabytes.', {
    minimum: 1,
  }),
  cancel_running_actions: bool(
    true,
    'Kill running actions when their workflow is canceled. If false, they run to completion, as in StackStorm.',
  ),
  fail_unrendered_chains: bool(
    false,
    'Fail an action chain when the parameters of a node cannot be rendered, as in StackStorm. If false, the chain continues with on-failure.',
  ),
  exit_still_active_check: stopsAtOnce,
  still_active_check_interval: stopsAtOnce,
  health_port: healthPort,
  logging: loggingFile(),
};

export const actionSensor = {
  enable: bool(true, 'Emit the action trigger when an execution ends.'),
  emit_when: list(
    ['succeeded', 'failed', 'timeout', 'canceled', 'abandoned'],
    'Statuses of executions that emit the action trigger.',
  ),
};

export const notifier = { health_port: healthPort, logging: loggingFile() };

export const systemUser = {
  user: str('stanley', 'User that runs local and remote commands.'),
  ssh_key_file: path('/home/stanley/.ssh/stanley_rsa', 'Private key of that user.', { mustExist: 'file' }),
};

export const sshRunner = {
  remote_dir: str('/tmp', 'Directory on remote hosts to which scripts are copied.'),
  allow_partial_failure: bool(false, 'Report success if the action succeeded on at least one host.'),
  max_parallel_actions: intOption(50, 'Maximum number of hosts on which one execution runs at a time.', { minimum: 1 }),
  use_ssh_config: bool(false, "Use the user's SSH configuration."),
  ssh_config_file_path: path('~/.ssh/config', "Path of the user's SSH configuration."),
  ssh_connect_timeout: intOption(60, 'Maximum time to wait for a connection, in seconds.', { minimum: 1 }),
  host_key_checking: choice(
    ['strict', 'accept-new', 'off'],
    'accept-new',
    'Which host keys to accept. strict: known keys only. accept-new: also the key of a host that has no known key. off: any key.',
  ),
  known_hosts_file: path(
    null,
    'File with known host keys, to which new keys are added. Unset: ssh/known_hosts under system.base_path.',
  ),
  connection_keep_seconds: intOption(10, 'How long to keep an idle connection open for later executions, in seconds.', {
    minimum: 0,
  }),
};
