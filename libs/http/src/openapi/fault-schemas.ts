const faultstring = { type: 'string', description: 'What went wrong, what was expected, and what to do' };

/** @param members what the fault may have besides its text */
const fault = (title: string, members: Readonly<Record<string, object>> = {}) => ({
  title,
  type: 'object',
  required: ['faultstring'],
  properties: { faultstring, ...members },
});

const response = (description: string, schema: object) => ({
  description,
  content: { 'application/json': { schema } },
});

const FAULT = fault('Fault', { limit: { type: 'string', description: 'The option whose limit is exceeded' } });

const text = { type: 'string' };
const contentFailure = {
  title: 'ContentFailure',
  type: 'object',
  required: ['pack', 'type', 'file', 'text'],
  properties: {
    pack: text,
    type: { type: 'string', description: 'Kind of content, such as pack or action' },
    file: text,
    line: { type: 'integer' },
    field: { type: 'string', description: 'Dotted path in the file' },
    text,
  },
};

/** The responses of operations that fail, by the name of the component. */
export const FAILURES = {
  Failure: response('Failure', FAULT),
  Unauthorized: response('The credentials are missing, invalid or expired', FAULT),
  Invalid: response(
    'The request is not valid',
    fault('InvalidFault', {
      field: { type: 'string', description: 'Path of the value that does not match its schema' },
      failures: { type: 'array', items: contentFailure, description: 'The problems of a registration' },
    }),
  ),
  Conflict: response(
    'Another record has the same key, or the state of the record does not allow the operation',
    fault('ConflictFault', {
      'conflict-id': { type: ['string', 'null'], description: 'Id of the record that already has the key' },
    }),
  ),
  Busy: response(
    'Too many requests',
    fault('BusyFault', { retry_after: { type: 'integer', description: 'Seconds after which to retry' } }),
  ),
} as const;
