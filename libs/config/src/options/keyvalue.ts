import { bool, path } from '../option';

export const keyvalue = {
  enable_encryption: bool(true, 'Allow encrypted items in the datastore.'),
  encryption_key_path: path(
    null,
    'File with the key of the datastore; unset: keys/datastore_key.json under system.base_path.',
  ),
};
