import type { CatalogueEntry } from './catalogue';

/** Invalid requests that do not reach their route, and resources that do not exist. Each kind of resource has its own text. */
export const requestErrors = {
  'request.not-found': { status: 404, template: 'The resource could not be found.' },
  'request.path': {
    status: 400,
    template: 'Failed to parse request path "{path}". URL likely contains invalid or incorrectly URL encoded values.',
  },
  'request.query': {
    status: 400,
    template: 'Failed to parse the query parameter "{name}". It contains incorrectly URL encoded values.',
  },
  'request.foreign-host': {
    status: 403,
    template:
      'The header Host "{host}" is not an address of this system. Expected an address of this machine or one of: {known}. Use the option api.allowed_hosts to allow others.',
  },
  'request.foreign-site': {
    status: 403,
    template:
      'Another website (Origin "{origin}") may not make changes with the cookie of a login. Use the option api.allow_origin to allow it.',
  },
  'request.foreign-origin': {
    status: 403,
    template:
      'The header Origin "{origin}" is not allowed. Expected one of: {known}. Use the option api.allow_origin to allow others; * does not allow any here.',
  },
  'request.not-json': {
    status: 403,
    template:
      'The header Content-Type is "{type}"; while the option auth.enable is false, it must be "application/json" for writes.',
  },
  'request.body': { status: 400, template: 'Failed to parse request body: {text}' },
  'request.pattern-too-long': {
    status: 422,
    template: 'The {where} has {length} characters; at most {allowed} are allowed (limits.max_pattern_length).',
  },
  'request.body-encoding': { status: 415, template: 'Unsupported Content-Encoding: "{encoding}"' },
  'request.body-too-large': { status: 413, template: 'The request body is larger than {limit} bytes.' },
  'request.too-many-bodies': {
    status: 429,
    template: 'Too many large request bodies are being received. Try again later ({option}).',
  },
  'request.parameter-type': { status: 400, template: 'Parameter "{name}" is not of type {type}' },
  'request.parameter-missing': { status: 400, template: 'Required parameter "{name}" is missing' },
  'request.parameter-minimum': { status: 400, template: 'Parameter "{name}" must be at least {minimum}, got {value}' },
  'request.parameter-maximum': { status: 400, template: 'Parameter "{name}" must be at most {maximum}, got {value}' },
  'request.parameter-length': { status: 400, template: 'Parameter "{name}" is longer than {maximum}' },
  'request.parameter-choice': { status: 400, template: 'Parameter "{name}" must be one of {choices}, got "{value}"' },
  'request.limit-zero': {
    status: 400,
    template: 'Limit, "0" specified, must be a positive number or -1 for full result set.',
  },
  'request.limit-negative': { status: 400, template: 'Limit, "{limit}" specified, must be a positive number.' },
  'request.limit-too-large': { status: 400, template: 'Limit "{limit}" specified is more than 32-bit int' },
  'request.limit-above-maximum': {
    status: 403,
    template: 'Limit "{limit}" specified, maximum value is "{maximum}"',
  },
  'request.limit-needs-admin': {
    status: 403,
    template: 'Administrator access required to be able to specify limit=-1 and retrieve all the records',
  },
  'request.offset-too-large': { status: 400, template: 'Offset "{offset}" specified is more than 32-bit int' },
  'request.offset-negative': {
    status: 400,
    template: 'Offset, "{offset}" specified, must be zero or a positive number.',
  },
  'request.attributes-exclusive': {
    status: 400,
    template:
      'exclude_fields and include_fields arguments are mutually exclusive. You need to provide either one or another, but not both.',
  },
  'request.include-attribute': {
    status: 400,
    template: 'Invalid or unsupported include attribute specified: {name}',
  },
  'request.exclude-attribute': {
    status: 400,
    template: 'Invalid or unsupported exclude attribute specified: {name}',
  },
  'request.object-id': {
    status: 400,
    template: "'{value}' is not a valid ObjectId, it must be a 12-byte input or a 24-character hex string",
  },
  'request.too-many-items': {
    status: 400,
    template: 'Maximum of {maximum} items can be provided for a query parameter value',
  },
  'request.time': { status: 400, template: 'Datetime value does not match expected format.' },
  'request.flag': { status: 400, template: 'Invalid bool representation "{value}" provided.' },
  'request.since': {
    status: 400,
    template: '"{text}" is not a valid time: expected for example 7d, 36h or 90m ago, or 2030-01-31T12:00:00Z',
  },
  'resource.ref-not-found': { status: 404, template: 'Resource with a reference or id "{id}" not found' },
  'resource.reference': {
    status: 400,
    template: 'Both pack and name needed for building ref. pack={pack}, name={name}',
  },
  'resource.pack-dot': { status: 400, template: 'Pack name should not contain "."' },
  'resource.name-not-found': { status: 404, template: 'Resource with a name or id "{id}" not found' },
  'resource.pack-not-found': { status: 404, template: 'Resource with a ref or id "{id}" not found' },
  'resource.id-not-found': { status: 404, template: 'Unable to identify resource with id "{id}".' },
  'resource.changed-meanwhile': {
    status: 409,
    template: '"{id}" was changed or deleted concurrently. Read it again and retry.',
  },
  'resource.outdated': {
    status: 412,
    template: '"{id}" was changed after the version in the header If-Match. Read it again and retry.',
  },
} as const satisfies Record<string, CatalogueEntry>;
