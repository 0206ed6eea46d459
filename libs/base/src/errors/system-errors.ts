import type { CatalogueEntry } from './catalogue';

export const systemErrors = {
  internal: { status: 500, template: 'Internal Server Error' },
  'general.invalid-value': { status: 400, template: '{text}' },
  'general.invalid-state': { status: 409, template: '{text}' },
  'general.unavailable': { status: 503, template: '{text}' },
  'data.limit': { status: 422, template: '{text}' },
  'data.key': { status: 422, template: '{text}' },
  'config.invalid': {
    status: 500,
    template: 'Configuration option {section}.{option}: expected {expected}, got {actual} ({origin}).',
  },
  'config.conflict': { status: 500, template: 'Configuration: {text}.' },
  'config.plugin': {
    status: 500,
    template: 'The plug-in "{name}" cannot be loaded: expected {expected}, got {actual}.',
  },
  'config.unreadable-file': { status: 500, template: 'The configuration file {path} cannot be read: {reason}' },
  'config.syntax': { status: 500, template: 'Configuration file {path}, line {line}: {problem}.' },
  'service-registry.group-not-found': { status: 404, template: 'Group with ID "{group}" not found.' },
  'messaging.unavailable': { status: 503, template: 'The message broker cannot be reached: {text}' },
  'messaging.closed': {
    status: 503,
    template: 'This process has closed its connection to the message broker.',
  },
  'messaging.invalid-message': { status: 500, template: 'A message of type "{type}" is not valid: {text}' },
  'messaging.too-large': {
    status: 400,
    template: 'A message of type "{type}" has {size} bytes; the maximum is {limit}.',
  },
  'messaging.invalid-pool': {
    status: 400,
    template: 'The runner pool "{pool}" is not valid: expected 1 to 64 letters, digits, "_" or "-".',
  },
  'storage.duplicate': { status: 409, template: 'Tried to save duplicate unique keys ({text})' },
  'storage.newer-schema': {
    status: 500,
    template:
      'The store has schema version {found}; this program supports versions up to {known}. Use a newer version of the program.',
  },
  'storage.older-processes': {
    status: 409,
    template: 'Processes of an earlier version use the store. Stop these first: {processes}.',
  },
  'storage.unfinished-import': {
    status: 500,
    template:
      'An import into the store has not ended. Run svc import with the same archive again, or use an empty store.',
  },
  'storage.key-file': { status: 500, template: 'The encryption key file "{path}" cannot be used: {text}' },
  'storage.no-rotation': { status: 404, template: 'The keys of the store have never been rotated.' },
  'storage.abandons-nothing': { status: 400, template: 'abandon_damaged: expected it together with retire' },
  'purge.time': {
    status: 400,
    template: 'before: expected a time in the past, such as 2026-01-31T00:00:00Z; got "{value}"',
  },
  'purge.option': { status: 400, template: '{name}: expected only with the kind {kinds}; got the kind "{kind}"' },
  'storage.not-resealed': {
    status: 409,
    template: 'The former keys are still in use: the rotation is {stage}, expected "resealed".',
  },
  'storage.config': {
    status: 500,
    template:
      'The configuration of the pack "{pack}" cannot be decrypted: {text}. Register its file again, or replace the configuration with a PUT request.',
  },
  'storage.rule': {
    status: 500,
    template:
      'The action parameters of the rule "{ref}" cannot be decrypted: {text}. Register its file again, or replace the parameters with a PUT request.',
  },
  'storage.alias': {
    status: 500,
    template:
      'The immutable parameters of the action alias "{ref}" cannot be decrypted: {text}. Register its file again, or replace the parameters with a PUT request.',
  },
  'storage.locked': { status: 500, template: 'The data directory "{directory}" is in use by process {pid}.' },
  'storage.format': {
    status: 500,
    template: 'The data directory "{directory}" has format {found}; this program supports format {known}.',
  },
  'storage.unreachable': { status: 503, template: 'The store cannot be reached: {text}' },
} as const satisfies Record<string, CatalogueEntry>;
