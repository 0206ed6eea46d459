import { bool, choice } from '../option';

export const rbac = {
  enable: bool(false, 'Check permissions by role.'),
  backend: choice(
    ['noop', 'default', 'enterprise'],
    'noop',
    'Where roles come from; enterprise is the older name of default.',
  ),
  sync_remote_groups: bool(false, 'Derive roles from remote groups when a user logs in.'),
  permission_isolation: bool(false, 'Users see only their own rules and executions.'),
};
