import { bool, legacy } from '../option';

const noRoles = legacy('there are no roles yet');

export const rbac = {
  enable: bool(false, 'Check permissions by role.', {
    refused: {
      value: true,
      reason:
        'roles do not exist yet, so no permission would be checked. Remove the option, and give accounts only to people who may do everything',
    },
  }),
  backend: noRoles,
  sync_remote_groups: noRoles,
  permission_isolation: noRoles,
};
