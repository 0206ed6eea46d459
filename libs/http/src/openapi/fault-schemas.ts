import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '@switchyard/base';

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
      line: { type: 'integer', description: 'The place in a workflow definition, from 1' },
      column: { type: 'integer' },
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

type Json = Record<string, unknown>;

/** Collects the schemas of a document that have a name, which is their `title`. */
interface NamedSchemas {
  /**
   * Replaces each named schema within a value by a reference to the component.
   * @throws a plain Error if two different schemas have the same name, which is a mistake in the program
   */
  refer<T>(value: T): unknown;
  /** The named schemas so far, by name. */
  components(): Json;
}

export function namedSchemas(): NamedSchemas {
  const found = new Map<string, Json>();
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer);
    if (!isPlainObject(value)) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, refer(member)]));
    // A schema may also have a property named title, which is an object.
    return typeof value['title'] === 'string' && isSchema(value) ? component(value['title'], inner) : inner;
  };
  const component = (name: string, { title: _, ...schema }: Json): Json => {
    const known = found.get(name);
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`Two different schemas have the name ${name}.`);
    found.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  };
  return {
    refer,
    components: () => Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const isSchema = (value: Json): boolean => ['type', 'anyOf', 'allOf'].some((keyword) => keyword in value);
