import type { Schema } from './violation';

const anySchema = { $ref: '#' };
const positive = { type: 'integer', minimum: 0 };
const schemaList = { type: 'array', minItems: 1, items: anySchema };
const nameList = { type: 'array', minItems: 1, items: { type: 'string' }, uniqueItems: true };
const schemaMap = { type: 'object', additionalProperties: anySchema };
const flagOrSchema = { anyOf: [{ type: 'boolean' }, anySchema] };

export const simpleTypes: readonly string[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Draft 4's rules for its keywords, except `type` and `required`, which have variants in the dialect. */
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

/** A draft 4 schema that refers to itself as `schema`, so that it can be one of another schema's definitions. */
export function amongDefinitions(schema: Schema): Schema {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#"', '"$ref":"#/definitions/schema"');
  return JSON.parse(text) as Schema;
}

/** Draft 4's metaschema. With `booleanRequired`, it also accepts `required: true` in a property's own schema. */
export const draft4Metaschema = (booleanRequired: boolean): Schema => ({
  type: 'object',
  properties: {
    ...draft4Keywords,
    required: booleanRequired ? { anyOf: [{ type: 'boolean' }, nameList] } : nameList,
    type: { anyOf: [{ enum: simpleTypes }, severalTypes] },
  },
  dependencies: draft4Dependencies,
});
