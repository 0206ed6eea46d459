import type { CatalogueEntry } from './catalogue';

/** Packs, their content and their files. */
export const contentErrors = {
  'pack.config': { status: 400, template: 'The configuration of the pack "{pack}" cannot be used: {reason}' },
  'pack.config-value': {
    status: 400,
    template:
      'Failed to render dynamic configuration value for key "{key}" with value "{value}" for pack "{pack}" config: {reason}',
  },
  'pack.config-invalid': {
    status: 400,
    template: 'Failed validating attribute "{field}" in config for pack "{pack}" ({file}): {text}',
  },
  'pack.config-no-object': { status: 400, template: 'The configuration of the pack "{pack}" must be an object.' },
  'pack.config-name': { status: 400, template: '"{pack}" cannot be the name of a pack.' },
  'pack.config-write': {
    status: 503,
    template:
      'The configuration cannot be written to "{path}": {reason}. The user that the API runs as needs access to it.',
  },
  'pack.config-not-found': { status: 404, template: 'Unable to identify resource with pack_ref "{pack}".' },
  'content.invalid': { status: 400, template: '{text}' },
  'content.registration': { status: 400, template: '{text}' },
  'content.unknown-type': { status: 400, template: '{type} is not one of {types}' },
  'content.pack-not-on-disk': { status: 400, template: 'Pack "{pack}" not found on disk: {cause}' },
  'content.virtualenv': {
    status: 400,
    template: 'The virtual environment of the pack "{pack}" cannot be set up: {reason}',
  },
  'content.shared-environment': {
    status: 400,
    template: 'The shared Python environment cannot be set up: {reason}',
  },
  'pack-index.none': { status: 400, template: 'No pack index is configured (content.index_url).' },
  'pack-index.unusable': { status: 400, template: 'No results from the index: tried {tried}. Status: {status}' },
  'pack-index.no-query': { status: 400, template: 'Query must be specified.' },
  'pack-index.no-pack': { status: 400, template: 'Pack name must be specified.' },
  'content.no-pack-directory': {
    status: 400,
    template: 'Content pack "{pack}" is not found or doesn\'t contain actions directory. Searched in: {searched}',
  },
  'content.system-pack': { status: 400, template: "Resources belonging to system level packs can't be manipulated" },
  'content.file-path': {
    status: 400,
    template:
      'Invalid file path: "{path}". File path needs to be relative to the pack {folder}. For example "my_action.py".',
  },
  'content.file-not-found': { status: 404, template: 'File "{path}" not found' },
  'content.read-denied': { status: 403, template: 'No permission to read the file "{path}"' },
  'content.file-unusable': { status: 400, template: 'Unable to write data to "{path}": {reason}.' },
  'content.file-too-large': {
    status: 400,
    template: 'File {path} exceeds maximum allowed file size ({limit} bytes)',
  },
  'content.no-entry-point': { status: 404, template: 'Action ref_or_id={ref} has no entry_point to output' },
  'content.write-denied': {
    status: 400,
    template:
      'Unable to write data to "{path}" (permission denied). The user that the API runs as needs write access to the pack directory.',
  },
  'content.delete-denied': { status: 403, template: 'No permission to delete "{path}" file from disk' },
  'content.copy-denied': { status: 403, template: 'Unable to copy file to "{path}".' },
  'content.no-destination-pack': { status: 400, template: "Destination pack '{pack}' doesn't exist" },
  'content.destination-exists': { status: 400, template: 'The requested destination action already exists' },
  'content.destination-name': {
    status: 400,
    template: 'The name "{name}" cannot be the name of a file: it is empty, starts with a dot or contains a slash.',
  },
} as const satisfies Record<string, CatalogueEntry>;
