const defaults: Readonly<Record<string, unknown>> = {
  additionalItems: {},
  items: {},
  uniqueItems: false,
  required: false,
  secret: false,
  additionalProperties: {},
  definitions: {},
  properties: {},
  patternProperties: {},
  immutable: false,
};

/**
 * An output schema with the attributes that the API adds to actions which it creates: clients read them. Actions that
 * come from a file keep the schema as it was written.
 */
export const filledOutputSchema = (schema: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...schema,
  ...Object.fromEntries(Object.entries(defaults).filter(([attribute]) => !Object.hasOwn(schema, attribute))),
});
