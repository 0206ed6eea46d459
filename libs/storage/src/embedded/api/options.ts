import { refuseOtherOptions } from '../errors';

/** Options for how a server works, without effect on the result. */
const withoutMeaning = [
  'batchSize',
  'bypassDocumentValidation',
  'comment',
  'ignoreUndefined',
  'allowDiskUse',
  'maxTimeMS',
  'noCursorTimeout',
  'promoteBuffers',
  'promoteLongs',
  'promoteValues',
  'readConcern',
  'readPreference',
  'retryWrites',
  'retryReads',
  'serializeFunctions',
  'timeoutMS',
  'w',
  'wtimeout',
  'j',
  'journal',
  'writeConcern',
  'forceServerObjectId',
  // mongoose passes its own options along with those of the driver.
  'lean',
  'new',
  'strict',
  'strictQuery',
  'timestamps',
  'overwriteDiscriminatorKey',
  'overwriteImmutable',
  'runValidators',
  'setDefaultsOnInsert',
  'validateBeforeSave',
  'checkKeys',
  'middleware',
  'populate',
  'rawResult',
  'sanitizeFilter',
  'sanitizeProjection',
  'schemaLevelProjections',
  'skipValidation',
  'throwOnValidationError',
  'translateAliases',
  'updatePipeline',
  'upsertedId',
  'omitUndefined',
  'requireFilter',
];

const operations = {
  find: ['projection', 'sort', 'skip', 'limit', 'singleBatch', 'once'],
  count: ['skip', 'limit'],
  distinct: [],
  insert: ['ordered', 'once'],
  update: ['upsert', 'arrayFilters', 'sort', 'multi'],
  findAndModify: [
    'upsert',
    'arrayFilters',
    'sort',
    'projection',
    'fields',
    'returnDocument',
    'returnOriginal',
    'includeResultMetadata',
  ],
  delete: [],
  bulkWrite: ['ordered', 'once'],
  aggregate: ['cursor', 'let'],
  createCollection: ['autoIndexId'],
} as const;

const known = new Map(
  Object.entries(operations).map(([operation, honoured]) => [
    operation,
    new Set<string>([...honoured, ...withoutMeaning]),
  ]),
);

/** @throws MongoServerError naming an unsupported option that would change the result, such as `session` */
export function checkOptions(operation: keyof typeof operations, options: object | undefined): void {
  if (options) refuseOtherOptions(operation, options, known.get(operation) as ReadonlySet<string>);
}
