import { bool, choice, int, path, str } from '../option';

export const sshRunner = {
  remote_dir: str('/tmp', 'Directory on remote hosts that scripts are copied to.'),
  allow_partial_failure: bool(false, 'Succeed when at least one host does.'),
  max_parallel_actions: int(50, 'How many hosts one execution works on at a time.', { minimum: 1 }),
  use_ssh_config: bool(false, "Follow the user's SSH configuration."),
  ssh_config_file_path: path('~/.ssh/config', 'That configuration.'),
  ssh_connect_timeout: int(60, 'Seconds to wait for a connection.', { minimum: 1 }),
  host_key_checking: choice(
    ['strict', 'accept-new', 'off'],
    'accept-new',
    'Which host keys are accepted: known ones only, those of hosts without a known one too, or all.',
  ),
  known_hosts_file: path(
    null,
    'Known host keys, and where new ones are added; default ssh/known_hosts below base_path.',
  ),
  connection_keep_seconds: int(10, 'How long a connection that is not used is kept open for later executions.', {
    minimum: 0,
  }),
};
