import type { ErrorEntry } from './catalogue';

export const storageErrors = {
  'storage.duplicate': { status: 409, template: 'Tried to save duplicate unique keys ({text})' },
  'storage.newer-schema': {
    status: 500,
    template: 'The store has schema version {found}, this program knows up to {known}. Start a newer program.',
  },
  'storage.key-file': { status: 500, template: 'The encryption key file "{path}" cannot be used: {text}' },
  'storage.config': {
    status: 500,
    template:
      'The configuration of the pack "{pack}" cannot be opened: {text}. Registering its file, or a PUT, writes it anew.',
  },
  'storage.rule': {
    status: 500,
    template:
      'The parameters that the rule "{ref}" gives to its action cannot be opened: {text}. Registering the file of the rule, or a PUT with parameters, writes them anew.',
  },
  'storage.alias': {
    status: 500,
    template:
      'The immutable parameters of the action alias "{ref}" cannot be opened: {text}. Registering its file, or a PUT with parameters, writes them anew.',
  },
  'storage.locked': { status: 500, template: 'The data directory "{directory}" is in use by process {pid}.' },
  'storage.format': {
    status: 500,
    template: 'The data directory "{directory}" has format {found}, this program reads format {known}.',
  },
  'storage.unreachable': { status: 503, template: 'The store cannot be reached: {text}' },
} as const satisfies Record<string, ErrorEntry>;
