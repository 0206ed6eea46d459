import { bool, int, path, str } from '../option';

export const sshRunner = {
  remote_dir: str('/tmp', 'Directory on remote hosts that scripts are copied to.'),
  allow_partial_failure: bool(false, 'Succeed when at least one host does.'),
  max_parallel_actions: int(50, 'How many hosts one execution works on at a time.', { minimum: 1 }),
  use_ssh_config: bool(false, "Follow the user's SSH configuration."),
  ssh_config_file_path: path('~/.ssh/config', 'That configuration.'),
  ssh_connect_timeout: int(60, 'Seconds to wait for a connection.', { minimum: 1 }),
};
