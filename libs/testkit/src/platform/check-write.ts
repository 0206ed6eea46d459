import { compileSchema, type CompiledSchema } from '@switchyard/model';
import { storedSchemas } from '@switchyard/model/resources';
import type { CheckWrite } from '@switchyard/storage';

/** Holds what is written to a store against the schemas of its records. */
export const checkWrite: CheckWrite = {
  record(collection, record) {
    const schema = schemaOf(collection);
    if (schema) refuse(collection, problemOf(compiled(schema), record));
  },
  fields(collection, set) {
    const { properties } = schemaOf(collection) ?? {};
    if (!properties) return;
    for (const [path, value] of Object.entries(set)) {
      const schema = path.includes('.') ? {} : properties[path];
      refuse(`${collection}.${path}`, schema ? problemOf(compiled(schema), value) : 'no such field');
    }
  },
};

/** @throws Error for a collection that nothing is known about */
function schemaOf(collection: string): Schema | undefined {
  if (WITHOUT_SCHEMA.includes(collection)) return undefined;
  const schema = (storedSchemas as Readonly<Record<string, unknown>>)[collection];
  if (!schema) throw new Error(`There is no schema for the records of ${collection}.`);
  return schema;
}

/** Bytes, and facts about the store itself. */
const WITHOUT_SCHEMA = ['blobs', 'meta'];

interface Schema {
  readonly properties?: Readonly<Record<string, object>>;
}

const known = new WeakMap<object, CompiledSchema>();

function compiled(schema: Schema): CompiledSchema {
  const found = known.get(schema);
  if (found) return found;
  const closed = schema.properties ? { ...schema, additionalProperties: false } : { ...schema };
  const made = compileSchema(closed, { fillDefaults: false });
  known.set(schema, made);
  return made;
}

function problemOf(schema: CompiledSchema, value: unknown): string | undefined {
  // Dates are texts in JSON, and members that are undefined are not stored.
  const outcome = schema.check(value === undefined ? null : JSON.parse(JSON.stringify(value)));
  if (outcome.ok) return undefined;
  return `${outcome.violation.path.join('.')}: ${outcome.violation.message}`;
}

function refuse(where: string, problem: string | undefined): void {
  if (problem !== undefined) throw new Error(`A write to ${where} does not fit its schema: ${problem}`);
}
