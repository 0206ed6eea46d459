import { bool, json, legacy, list, path, str } from '../option';

export const system = {
  base_path: path(
    '~/.switchyard',
    'Directory of packs, virtual environments, pack configurations, keys and the embedded store.',
  ),
  debug: bool(false, 'Log at level debug, like the option debug in [DEFAULT].', { reloadable: true }),
  validate_trigger_parameters: bool(true, "Check the parameters of triggers against their type's schema."),
  validate_trigger_payload: bool(true, "Check the payload of trigger instances against their type's schema."),
  validate_output_schema: bool(false, 'Check the output of actions and workflows against their output schema.'),
};

const runnersPath = legacy('runners are part of the program');

export const content = {
  system_packs_base_path: path(null, 'Directory of installed packs. Unset: packs under system.base_path.'),
  packs_base_paths: str(null, 'Additional directories of packs, separated by colons.'),
  pack_group: legacy(
    'installed files get the group of the packs directory if it has the setgid bit (chgrp GROUP, chmod g+s)',
  ),
  index_url: list(
    ['https://index.stackstorm.org/v1/index.json'],
    'Indexes of packs. If several contain the same pack, the first one wins.',
  ),
  system_runners_base_path: runnersPath,
  runners_base_paths: runnersPath,
};

export const packs = {
  enable_common_libs: bool(
    false,
    'Allow Python actions and sensors to import modules from the lib directory of their pack.',
  ),
};

export const keyvalue = {
  enable_encryption: bool(true, 'Allow encrypted items in the datastore.'),
  encryption_key_path: path(
    null,
    'File with the key of encrypted datastore items. Unset: keys/datastore_key.json under system.base_path.',
    { mustExist: 'file' },
  ),
};

export const rbac = {
  enable: bool(false, 'Check permissions by role. If false, everybody who can log in may do everything.'),
  backend: str('noop', 'Source of roles. With rbac.enable it must be default, or the role backend of a plug-in.'),
  backend_kwargs: json('Arguments for the role backend of a plug-in.', { secret: true }),
  sync_remote_groups: bool(
    false,
    'Assign users the roles of their groups at each login. Needs an authentication backend with groups.',
  ),
  permission_isolation: bool(
    false,
    'While permissions are checked: show users only their own executions and rules, whatever their roles allow. Administrators see all.',
  ),
  directory: path(null, 'Directory of the definition files of roles. Unset: rbac under system.base_path.', {
    mustExist: 'directory',
  }),
};
