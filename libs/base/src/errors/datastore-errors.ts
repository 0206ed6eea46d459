import type { CatalogueEntry } from './catalogue';

/** Items of the datastore. Texts that clients of StackStorm rely on are the same as in StackStorm. */
export const datastoreErrors = {
  'datastore.not-found': { status: 404, template: 'The key "{name}" does not exist in the StackStorm datastore.' },
  'datastore.which-scope': {
    status: 404,
    template:
      'A request for the key "{name}" that names a user must also name a scope. scope=user selects the items of that user.',
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
  'datastore.unreadable': {
    status: 400,
    template: 'The stored item "{name}" cannot be read (id {id}): {text}. `svc doctor` repairs or removes it.',
  },
  'datastore.value-too-large': {
    status: 400,
    template: 'The value of the key "{name}" has {bytes} bytes; the maximum is {limit}.',
  },
} as const satisfies Record<string, CatalogueEntry>;
