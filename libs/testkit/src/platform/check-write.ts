import { isDate } from 'node:util/types';
import { isPlainObject } from '@switchyard/base';
import { compileSchema, type CompiledSchema } from '@switchyard/model';
import { storedSchemas } from '@switchyard/model/resources';
import type { AnyChange, CheckWrite } from '@switchyard/storage';

/** Checks the writes of one store. */
export interface WriteChecks extends CheckWrite {
  /** @throws Error with the first write that did not match, even if the writer caught its error */
  assertAllMatched(): void;
}

/** Checks writes against the schemas of the records: whole records, and each path of a change. */
export function writeChecks(): WriteChecks {
  let first: Error | undefined;
  const refuse = (place: string, problem: string): never => {
    const error = new Error(`A write to ${place} does not match its schema: ${problem}`);
    first ??= error;
    throw error;
  };
  return {
    record(collection, record) {
      const schema = schemaOf(collection);
      const problem = schema && problemOf(schema, record);
      if (problem !== undefined) refuse(collection, problem);
    },
    change(collection, change) {
      const schema = schemaOf(collection);
      if (!schema) return;
      for (const { path, problem } of changedPaths(change)) {
        const field = fieldAt(schema, path);
        const found = field ? problem(field) : 'no such field';
        if (found !== undefined) refuse(`${collection}.${path}`, found);
      }
    },
    assertAllMatched() {
      if (first) throw first;
    },
  };
}

/** The parts of a JSON schema that TypeBox writes for records. */
interface Schema {
  readonly type?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

interface Field {
  readonly schema: Schema;
  readonly isOptional: boolean;
}

interface ChangedPath {
  readonly path: string;
  readonly problem: (field: Field) => string | undefined;
}

/** @throws Error for a collection without a schema */
function schemaOf(collection: string): Schema | undefined {
  if (WITHOUT_SCHEMA.includes(collection)) return undefined;
  const schema = (storedSchemas as Readonly<Record<string, Schema>>)[collection];
  if (!schema) throw new Error(`There is no schema for the records of ${collection}.`);
  return schema;
}

/** Collections without a schema: bytes, and facts about the store itself. */
const WITHOUT_SCHEMA = ['blobs', 'meta'];

function changedPaths({
  set = {},
  unset = [],
  push = {},
  pushAll = {},
  pull = {},
  inc = {},
}: AnyChange): ChangedPath[] {
  const element = (value: unknown) => (field: Field) =>
    field.schema.items ? problemOf(field.schema.items, value) : 'not a list';
  return [
    ...Object.entries(set).map(([path, value]) => ({ path, problem: ({ schema }: Field) => problemOf(schema, value) })),
    ...unset.map((path) => ({
      path,
      problem: ({ isOptional }: Field) => (isOptional ? undefined : 'a required field cannot be removed'),
    })),
    ...Object.entries({ ...push, ...pull }).map(([path, value]) => ({ path, problem: element(value) })),
    ...Object.entries(pushAll).flatMap(([path, values = []]) =>
      values.map((value) => ({ path, problem: element(value) })),
    ),
    ...Object.entries(inc).map(([path, by]) => ({ path, problem: ({ schema }: Field) => countProblem(schema, by) })),
  ];
}

const countProblem = (schema: Schema, by: unknown): string | undefined =>
  schema.type === 'integer' || schema.type === 'number' ? problemOf(schema, by) : 'not a number';

/** @returns undefined if the records have no such field */
function fieldAt(schema: Schema, path: string): Field | undefined {
  let field: Field = { schema, isOptional: false };
  for (const name of path.split('.')) {
    const { properties = {}, required = [], additionalProperties: others, items } = field.schema;
    if (Object.hasOwn(properties, name)) field = { schema: properties[name]!, isOptional: !required.includes(name) };
    else if (items && /^\d+$/.test(name)) field = { schema: items, isOptional: false };
    else if (others) field = { schema: others === true ? ANYTHING : others, isOptional: true };
    else return undefined;
  }
  return field;
}

const ANYTHING: Schema = { additionalProperties: true };

const known = new WeakMap<Schema, CompiledSchema>();

function problemOf(schema: Schema, value: unknown): string | undefined {
  const strange = strangeToJson(schema, value);
  if (strange !== undefined) return strange;
  const outcome = compiled(schema).check(value);
  if (outcome.ok) return undefined;
  const { path, message } = outcome.violation;
  return path.length > 0 ? `${path.join('.')}: ${message}` : message;
}

/** Values that JSON schemas do not cover: dates, and undefined members, which the store treats as null. */
function strangeToJson(schema: Schema, value: unknown): string | undefined {
  if (value === undefined) return 'undefined';
  if (isDateSchema(schema)) return isDate(value) ? undefined : 'not a date';
  const { properties = {}, items } = schema;
  const members: readonly [string | number, Schema | undefined, unknown][] = Array.isArray(value)
    ? value.map((item: unknown, index) => [index, items, item])
    : isPlainObject(value)
      ? Object.entries(value).map(([name, member]) => [name, properties[name], member])
      : [];
  for (const [name, below, member] of members) {
    const found = below && strangeToJson(below, member);
    if (found !== undefined) return `${name}: ${found}`;
  }
  return undefined;
}

const isDateSchema = ({ format }: Schema): boolean => format === 'date-time';

function compiled(schema: Schema): CompiledSchema {
  const found = known.get(schema);
  if (found) return found;
  const made = compileSchema({ ...closed(schema) }, { fillDefaults: false });
  known.set(schema, made);
  return made;
}

/** The same schema, but without undeclared properties. */
function closed(schema: Schema): Schema {
  if (isDateSchema(schema)) return {};
  const { properties, items, additionalProperties = false } = schema;
  return {
    ...schema,
    ...(items ? { items: closed(items) } : {}),
    ...(properties
      ? {
          additionalProperties,
          properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, closed(field)])),
        }
      : {}),
  };
}
