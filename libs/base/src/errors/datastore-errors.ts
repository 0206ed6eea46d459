import type { ErrorEntry } from './catalogue';

/** Items of the datastore. Texts that clients know follow the interface sheet. */
export const datastoreErrors = {
  'datastore.not-found': { status: 404, template: 'The key "{name}" does not exist in the StackStorm datastore.' },
  'datastore.which-scope': {
    status: 404,
    template:
      'The key "{name}" was not looked for: with "user", say which scope is meant. scope=user is that of the user\'s own items.',
  },
  'datastore.scope': {
    status: 400,
    template: "Scope {scope} is not in allowed scopes list: ['system', 'user', 'st2kv.system', 'st2kv.user'].",
  },
  'datastore.list-scope': { status: 400, template: 'Invalid scope: {scope}' },
  'datastore.other-user': {
    status: 403,
    template: '"user" attribute can only be provided by admins when RBAC is enabled',
  },
  'datastore.decrypt-needs-admin': { status: 403, template: 'Decrypt option requires administrator access' },
  'datastore.encrypted-needs-admin': { status: 403, template: 'Pre-encrypted option requires administrator access' },
  'datastore.integrity': {
    status: 400,
    template:
      'Failed to verify the integrity of the provided value for key "{name}". Ensure that the value is encrypted with the correct key and not corrupted.',
  },
  'datastore.no-key': {
    status: 400,
    template: 'Crypto key not found in {path}. Unable to encrypt / decrypt value for key {name}.',
  },
  'datastore.encryption-off': {
    status: 400,
    template: 'keyvalue.enable_encryption is off. Unable to encrypt / decrypt value for key {name}.',
  },
  'datastore.cannot-decrypt': {
    status: 400,
    template: 'The value of the key "{name}" cannot be decrypted: {text}',
  },
  'datastore.value-too-large': {
    status: 400,
    template: 'The value of the key "{name}" has {bytes} bytes, at most {limit} can be stored.',
  },
} as const satisfies Record<string, ErrorEntry>;
