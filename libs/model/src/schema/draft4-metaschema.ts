import type { Schema } from './violation';

const anySchema = { $ref: '#' };
const positive = { type: 'integer', minimum: 0 };
const schemaList = { type: 'array', minItems: 1, items: anySchema };
const nameList = { type: 'array', minItems: 1, items: { type: 'string' }, uniqueItems: true };
const schemaMap = { type: 'object', additionalProperties: anySchema };
const flagOrSchema = { anyOf: [{ type: 'boolean' }, anySchema] };

export const simpleTypes: readonly string[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** What draft 4 says of each of its keywords, besides `type` and `required`, where the dialect has variants. */
export const draft4Keywords: Schema = {
  id: { type: 'string' },
  $schema: { type: 'string' },
  title: { type: 'string' },
  description: { type: 'string' },
  default: {},
  multipleOf: { type: 'number', minimum: 0, exclusiveMinimum: true },
  maximum: { type: 'number' },
  exclusiveMaximum: { type: 'boolean' },
  minimum: { type: 'number' },
  exclusiveMinimum: { type: 'boolean' },
  maxLength: positive,
  minLength: positive,
  pattern: { type: 'string' },
  additionalItems: flagOrSchema,
  items: { anyOf: [anySchema, schemaList] },
  maxItems: positive,
  minItems: positive,
  uniqueItems: { type: 'boolean' },
  maxProperties: positive,
  minProperties: positive,
  additionalProperties: flagOrSchema,
  definitions: schemaMap,
  properties: schemaMap,
  patternProperties: schemaMap,
  dependencies: { type: 'object', additionalProperties: { anyOf: [anySchema, nameList] } },
  enum: { type: 'array', minItems: 1, uniqueItems: true },
  allOf: schemaList,
  anyOf: schemaList,
  oneOf: schemaList,
  not: anySchema,
};

const severalTypes = { type: 'array', items: { enum: simpleTypes }, minItems: 1, uniqueItems: true };

export const draft4Dependencies: Schema = { exclusiveMaximum: ['maximum'], exclusiveMinimum: ['minimum'] };

/** A schema of draft 4, which calls itself `#`, as it has to be where it stands among the definitions of another, as `schema`. */
export function amongDefinitions(schema: Schema): Schema {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#"', '"$ref":"#/definitions/schema"');
  return JSON.parse(text) as Schema;
}

/** Draft 4's schema of schemas. With `booleanRequired`, `required: true` in a property's own schema is as good. */
export const draft4Metaschema = (booleanRequired: boolean): Schema => ({
  type: 'object',
  properties: {
    ...draft4Keywords,
    required: booleanRequired ? { anyOf: [{ type: 'boolean' }, nameList] } : nameList,
    type: { anyOf: [{ enum: simpleTypes }, severalTypes] },
  },
  dependencies: draft4Dependencies,
});
