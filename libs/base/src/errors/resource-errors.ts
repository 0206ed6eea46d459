import type { ErrorEntry } from './catalogue';

/** What a path names does not exist: each kind of resource has its own words for that. */
export const resourceErrors = {
  'resource.ref-not-found': { status: 404, template: 'Resource with a reference or id "{id}" not found' },
  'resource.name-not-found': { status: 404, template: 'Resource with a name or id "{id}" not found' },
  'resource.pack-not-found': { status: 404, template: 'Resource with a ref or id "{id}" not found' },
  'resource.id-not-found': { status: 404, template: 'Unable to identify resource with id "{id}".' },
  'resource.changed-meanwhile': {
    status: 409,
    template: '"{id}" was changed or deleted by somebody else at the same time. Read it and try again.',
  },
} as const satisfies Record<string, ErrorEntry>;
